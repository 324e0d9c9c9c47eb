//! A recorder of state journals with the standard library alone. The format is in state-journal(5).
//!
//!     let journal = Journal::create("run.jsonl", "Shop", &["/cart/card"])?;
//!     let cart = journal.store("cart", [("total", Json::from(0)), ("card", "4111".into())])?;
//!     cart.commit([("total", Json::from(5)), ("card", "4111".into())], Some("add"))?;
//!
//! The library has no keyed hash that takes a key: a redacted value is its SipHash under a random key of the run.
use std::collections::{hash_map::RandomState, BTreeMap, BTreeSet};
use std::fs::{hard_link, remove_file, File, OpenOptions};
use std::io::{Error, ErrorKind, Result, Write};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{cell::Cell, cell::RefCell, fmt, hash::BuildHasher, iter, panic::Location, str::Split};

/// A value of a state. A number is its text.
#[derive(Clone, Debug, PartialEq)]
pub enum Json { Null, Bool(bool), Number(String), String(String), Array(Vec<Json>), Object(BTreeMap<String, Json>) }
use Json::{Array, Object};

impl From<bool> for Json { fn from(value: bool) -> Json { Json::Bool(value) } }
impl From<i32> for Json { fn from(value: i32) -> Json { Json::Number(value.to_string()) } }
impl From<i64> for Json { fn from(value: i64) -> Json { Json::Number(value.to_string()) } }
impl From<u64> for Json { fn from(value: u64) -> Json { Json::Number(value.to_string()) } }
impl From<&str> for Json { fn from(text: &str) -> Json { Json::String(text.into()) } }
impl From<String> for Json { fn from(text: String) -> Json { Json::String(text) } }
impl From<f64> for Json {
    fn from(value: f64) -> Json {
        let text = format!("{value:?}");
        if !value.is_finite() { return text.replace("inf", "Infinity").into() }
        Json::Number(text.trim_end_matches(".0").into())
    }
}
impl<T: Into<Json>> From<Option<T>> for Json { fn from(value: Option<T>) -> Json { value.map_or(Json::Null, T::into) } }
impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(elements: Vec<T>) -> Json { Array(elements.into_iter().map(T::into).collect()) }
}
impl<K: Into<String>, const N: usize> From<[(K, Json); N]> for Json {
    fn from(members: [(K, Json); N]) -> Json { Object(members.into_iter().map(|(k, v)| (k.into(), v)).collect()) }
}
macro_rules! members { ($($name:literal: $value:expr),*) => { [$(($name, Json::from($value))),*] } }

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let list = |parts: Vec<String>| parts.join(",");
        let member = |(name, value): (&String, &Json)| format!("{}:{value}", Json::from(name.as_str()));
        let escaped = |c: char| match c {
            '"' | '\\' => format!("\\{c}"),
            '\0'..='\x1f' => format!("\\u{:04x}", c as u32),
            _ => c.to_string(),
        };
        match self {
            Json::Null => write!(f, "null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Number(text) => write!(f, "{text}"),
            Json::String(text) => write!(f, "\"{}\"", text.chars().map(escaped).collect::<String>()),
            Array(elements) => write!(f, "[{}]", list(elements.iter().map(Json::to_string).collect())),
            Object(all) => write!(f, "{{{}}}", list(all.iter().map(member).collect())),
        }
    }
}

/// One run in one file. Clones are the same journal; any thread may use it.
#[derive(Clone)]
pub struct Journal(Arc<Mutex<Inner>>);
#[derive(Default)]
struct Inner {
    file: Option<File>, secrets: Vec<String>, hasher: RandomState, time: RefCell<String>, seq: u64, marks: u64,
    stores: u64, open: BTreeMap<String, Open>, commits: BTreeMap<String, u64>, size: u64, keyframe: (u64, u64),
}
struct Open { number: u64, path: String, version: u64, tree: Json, subscribers: Vec<Subscriber> }
type Subscriber = Arc<dyn Fn(&Json) + Send + Sync>;
/// A recorded store. Clones are the same store.
#[derive(Clone)]
pub struct Store { journal: Journal, name: String, number: u64 }

thread_local! { static CAUSE: Cell<Option<u64>> = const { Cell::new(None) } }
/// The commit that this thread delivers. Hand it to a task that the delivery starts, for `with_cause`.
pub fn cause() -> Option<u64> { CAUSE.get() }
/// Makes a commit the cause of those that a closure makes.
pub fn with_cause<T>(seq: Option<u64>, body: impl FnOnce() -> T) -> T {
    let before = CAUSE.replace(seq);
    let value = body();
    CAUSE.set(before);
    value
}

impl Journal {
    /// Creates the file; one that an earlier run left there is kept, under the next free number. `secrets` are JSON
    /// Pointers into the whole state, in which `*` is any segment, `**` any number of them, and an index any index.
    pub fn create(path: &str, app: &str, secrets: &[&str]) -> Result<Journal> {
        if secrets.iter().any(|pointer| !pointer.starts_with('/')) {
            return invalid("a redaction does not begin with '/'");
        }
        // A payload has no path of its own: a member of it is redacted by the last name of any pointer.
        let in_payload = |pointer: &str| format!("payload/**/{}", pointer.rsplit('/').next().unwrap());
        let secrets = secrets.iter().flat_map(|pointer| [pointer.to_string(), in_payload(pointer)]).collect();
        let create = || OpenOptions::new().append(true).create_new(true).open(path);
        let (mut file, mut number) = (create(), 1);
        while file.as_ref().is_err_and(|error| error.kind() == ErrorKind::AlreadyExists) {
            // A link fails, and replaces nothing, where the name is taken.
            match hard_link(path, format!("{}.{number}.jsonl", path.trim_end_matches(".jsonl"))) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                linked => file = linked.and_then(|_| remove_file(path)).and_then(|_| create()),
            }
            number += 1;
        }
        let mut inner = Inner { file: Some(file?), secrets, ..Inner::default() };
        let id = format!("{:016x}{:016x}", inner.hasher.hash_one(0), inner.hasher.hash_one(1));
        let members = members!["version": 1, "id": id, "time": inner.now(), "app": app, "recorder": "recorder.rs"];
        inner.write("journal", 0, members)?;
        Ok(Journal(Arc::new(Mutex::new(inner))))
    }

    /// Starts to record a store. While another one of that name is open, it is called `name_2`.
    #[track_caller]
    pub fn store(&self, base: &str, state: impl Into<Json>) -> Result<Store> {
        let (at, path, state, inner) = (place(), child("", base), state.into(), &mut *self.0.lock().unwrap());
        let mut names = iter::once(base.to_string()).chain((2..).map(|number| format!("{base}_{number}")));
        let name = names.find(|name| !inner.open.contains_key(name)).unwrap();
        let (tree, time) = (inner.tree(state, &path)?, inner.now());
        let members = members!["store": &*name, "type": "Json", "time": time, "at": at, "state": tree.clone()];
        inner.write("store", inner.seq, members)?;
        inner.stores += 1;
        inner.commits.entry(name.clone()).or_insert(0);
        let number = inner.stores;
        inner.open.insert(name.clone(), Open { number, path, version: 0, tree, subscribers: vec![] });
        Ok(Store { journal: self.clone(), name, number })
    }

    /// Records something that the program has to say, such as a tapped button.
    #[track_caller]
    pub fn mark(&self, text: &str, level: Option<&str>, payload: Option<Json>) -> Result<()> {
        let (at, inner) = (place(), &mut *self.0.lock().unwrap());
        let (time, payload) = (inner.now(), inner.tree(payload.into(), "payload")?);
        let members = members!["time": time, "at": at, "text": text, "level?": level, "payload?": payload];
        inner.write("mark", inner.seq, members).map(|()| inner.marks += 1)
    }

    /// Ends the run. A journal without this was cut short by a crash.
    pub fn end(&self) -> Result<()> {
        let inner = &mut *self.0.lock().unwrap();
        if inner.file.is_none() { return Ok(()) }
        inner.write("end", inner.seq, members!["time": inner.now(), "totals": inner.totals()])?;
        inner.file = None;
        Ok(())
    }
}

impl Store {
    /// Calls a function with each new state. What it commits has that commit as its cause.
    pub fn subscribe(&self, subscriber: impl Fn(&Json) + Send + Sync + 'static) {
        let inner = &mut *self.journal.0.lock().unwrap();
        if let Some(open) = inner.open.get_mut(&self.name).filter(|open| open.number == self.number) {
            open.subscribers.push(Arc::new(subscriber));
        }
    }

    /// Records a new state, then delivers it, and returns the commit's number. An equal state is recorded too.
    #[track_caller]
    pub fn commit(&self, state: impl Into<Json>, name: Option<&str>) -> Result<u64> {
        let (at, state) = (place(), state.into());
        let (seq, subscribers) = self.record(state.clone(), name, at)?;
        with_cause(Some(seq), || subscribers.iter().for_each(|subscriber| subscriber(&state)));
        Ok(seq)
    }

    fn record(&self, state: Json, name: Option<&str>, at: Json) -> Result<(u64, Vec<Subscriber>)> {
        let inner = &mut *self.journal.0.lock().unwrap();
        let Some(open) = inner.open.get(&self.name).filter(|open| open.number == self.number) else {
            return invalid("the store is closed");
        };
        let (tree, seq, version, mut patch) = (inner.tree(state, &open.path)?, inner.seq + 1, open.version + 1, vec![]);
        differences(Some(&open.tree), Some(&tree), "", &mut patch);
        let members = members!["store": &*self.name, "version": version, "time": inner.now(), "at": at,
            "name?": name, "cause?": cause(), "patch": patch];
        inner.write("commit", seq, members)?;
        let open = inner.open.get_mut(&self.name).unwrap();
        (inner.seq, open.version, open.tree) = (seq, version, tree);
        *inner.commits.get_mut(&self.name).unwrap() += 1;
        let subscribers = open.subscribers.clone();
        let ((last, end), before) = (inner.keyframe, inner.size);
        if before - end > (1 << 16).max(4 * last) {
            let states = inner.open.iter().map(|(name, open)| (name.clone(), open.tree.clone())).collect();
            // If it cannot be written, the commit is, all the same.
            let _ = inner.write("keyframe", seq, members!["states": Object(states), "totals": inner.totals()]);
            inner.keyframe = (inner.size - before, inner.size);
        }
        Ok((seq, subscribers))
    }

    /// Ends the recording of the store.
    pub fn close(&self) -> Result<()> {
        let inner = &mut *self.journal.0.lock().unwrap();
        if inner.open.get(&self.name).is_some_and(|open| open.number == self.number) {
            inner.write("close", inner.seq, members!["store": &*self.name, "time": inner.now()])?;
            inner.open.remove(&self.name);
        }
        Ok(())
    }
}

impl Inner {
    /// Appends a line by one write, so that a kill leaves whole lines. One that does not fit is taken back. A member
    /// whose name ends in '?' is left out where it is null.
    fn write<const N: usize>(&mut self, kind: &str, seq: u64, members: [(&str, Json); N]) -> Result<()> {
        let Some(file) = &mut self.file else { return invalid("the journal has ended") };
        let mut line = format!(r#"{{"seq":{seq},"kind":"{kind}""#);
        for (name, member) in members {
            if !name.ends_with('?') || member != Json::Null {
                line += &format!(r#","{}":{member}"#, name.trim_end_matches('?'));
            }
        }
        let bit = |crc: u32, _| (crc >> 1) ^ (0x82f6_3b78 * (crc & 1));
        let crc = !line.bytes().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(byte), bit));
        line += &format!(",\"sum\":\"{crc:08x}\"}}\n");
        file.write_all(line.as_bytes()).or_else(|error| file.set_len(self.size).and(Err(error)))?;
        self.size += line.len() as u64;
        Ok(())
    }

    fn totals(&self) -> Json {
        let commits = Object(self.commits.iter().map(|(name, count)| (name.clone(), Json::from(*count))).collect());
        let (open, none) = (self.open.keys().cloned().collect::<Vec<_>>(), Array(vec![]));
        members!["commits": commits, "open": open, "derived": none, "marks": self.marks, "gaps": 0, "aborts": 0].into()
    }

    /// A time that never falls: a clock that steps back repeats the last one.
    fn now(&self) -> Json {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let (seconds, micros) = (now.as_secs(), now.subsec_micros());
        let (mut year, mut month, mut day) = (1970, 0, seconds / 86400);
        let days = |year| 365 + u64::from(year % 4 == 0 && year % 100 != 0 || year % 400 == 0);
        while day >= days(year) { (year, day) = (year + 1, day - days(year)) }
        let lengths = [31, days(year) - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        while day >= lengths[month] { (month, day) = (month + 1, day - lengths[month]) }
        let (month, day) = (month + 1, day + 1);
        let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
        let time = format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z");
        let mut last = self.time.borrow_mut();
        if time > *last { *last = time }
        last.as_str().into()
    }

    /// A value with hashes in the place of what is redacted.
    fn tree(&self, value: Json, path: &str) -> Result<Json> {
        if path.matches('/').count() > 512 { return invalid("the state is nested more than 512 deep") }
        if self.secrets.iter().any(|pointer| matches(pointer.split('/'), path.split('/'))) {
            let hash = format!("{:016x}", self.hasher.hash_one(value.to_string()));
            return Ok(members!["$redacted": hash].into());
        }
        let part = |name: &str, value| self.tree(value, &child(path, name));
        Ok(match value {
            Object(all) => Object(all.into_iter().map(|(k, v)| Ok((k.clone(), part(&k, v)?))).collect::<Result<_>>()?),
            Array(all) => Array((0..).zip(all).map(|(i, v)| part(&i.to_string(), v)).collect::<Result<_>>()?),
            value => value,
        })
    }
}

/// Appends the JSON Patch (RFC 6902) from one tree to another, as deep as possible, with what each operation replaces.
fn differences(old: Option<&Json>, new: Option<&Json>, path: &str, patch: &mut Vec<Json>) {
    match (old, new) {
        (Some(Object(a)), Some(Object(b))) if !a.contains_key("$redacted") && !b.contains_key("$redacted") => {
            for name in a.keys().chain(b.keys()).collect::<BTreeSet<_>>() {
                differences(a.get(name), b.get(name), &child(path, name), patch);
            }
        }
        (Some(Array(a)), Some(Array(b))) => {
            let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
            let (a, b) = (&a[start..], &b[start..]);
            let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
            let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
            // Surplus elements go first, and from the end, so that the indices of the others hold.
            for i in (b.len()..a.len()).rev().chain(0..b.len()) {
                differences(a.get(i), b.get(i), &format!("{path}/{}", start + i), patch);
            }
        }
        _ if old == new => {}
        _ => {
            let op = if old.is_none() { "add" } else if new.is_none() { "remove" } else { "replace" };
            let values = [new.map(|new| ("value", new.clone())), old.map(|old| ("old", old.clone()))];
            let members = members!["op": op, "path": path].into_iter().chain(values.into_iter().flatten());
            patch.push(Object(members.map(|(name, member)| (name.into(), member)).collect()));
        }
    }
}

fn matches(mut pattern: Split<char>, mut path: Split<char>) -> bool {
    let (whole_pattern, whole_path) = (pattern.clone(), path.clone());
    let is_index = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    match (pattern.next(), path.next()) {
        (Some("**"), segment) => matches(pattern, whole_path) || segment.is_some() && matches(whole_pattern, path),
        (Some(name), Some(segment)) => {
            (name == "*" || name == segment || is_index(name) && is_index(segment)) && matches(pattern, path)
        }
        (name, segment) => name == segment,
    }
}

#[track_caller]
fn place() -> Json {
    let at = Location::caller();
    let (line, column) = (u64::from(at.line()), u64::from(at.column()));
    members!["file": at.file(), "line": line, "column": column, "function": ""].into()
}

fn invalid<T>(message: &str) -> Result<T> { Err(Error::new(ErrorKind::InvalidInput, message)) }

fn child(path: &str, name: &str) -> String { format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")) }
