//! A recorder of state journals with the standard library alone. The format is in state-journal(5).
//!
//!     let journal = Journal::create("run.jsonl", "Shop", &["/cart/card"])?;
//!     let cart = journal.store("cart", [("total", Json::from(0)), ("card", "4111".into())])?;
//!     cart.commit([("total", Json::from(5)), ("card", "4111".into())], Some("add"))?;
//!
//! The library has no keyed hash that takes a key: a redacted value is its SipHash under a random key of the run.
use std::collections::{hash_map::RandomState, BTreeMap};
use std::fs::{hard_link, remove_file, File, OpenOptions};
use std::io::{Error, ErrorKind, Result, Write};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{cell::Cell, fmt, hash::BuildHasher, panic::Location};

/// A value of a state. A number is its text.
#[derive(Clone, Debug, PartialEq)]
pub enum Json { Null, Bool(bool), Number(String), String(String), Array(Vec<Json>), Object(BTreeMap<String, Json>) }
use Json::{Array, Object};

macro_rules! from { ($($type:ty, $name:ident => $json:expr;)*) => {
    $(impl From<$type> for Json { fn from($name: $type) -> Json { $json } })*
} }
from! {
    bool, value => Json::Bool(value);
    i32, value => Json::Number(value.to_string());
    i64, value => Json::Number(value.to_string());
    u64, value => Json::Number(value.to_string());
    f64, value => match format!("{value:?}") {
        text if value.is_finite() => Json::Number(text.trim_end_matches(".0").into()),
        text => Json::String(text.replace("inf", "Infinity")),
    };
    &str, text => Json::String(text.into());
    String, text => Json::String(text);
}
impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Json { value.map_or(Json::Null, Into::into) }
}
impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(elements: Vec<T>) -> Json { Array(elements.into_iter().map(Into::into).collect()) }
}
impl<K: Into<String>, const N: usize> From<[(K, Json); N]> for Json {
    fn from(members: [(K, Json); N]) -> Json { Object(members.into_iter().map(|(k, v)| (k.into(), v)).collect()) }
}
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let list = |parts: Vec<String>| parts.join(",");
        match self {
            Json::Null => write!(f, "null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Number(text) => write!(f, "{text}"),
            Json::String(text) => write!(f, "{}", quoted(text)),
            Array(elements) => write!(f, "[{}]", list(elements.iter().map(Json::to_string).collect())),
            Object(all) => write!(f, "{{{}}}", list(all.iter().map(|(k, v)| format!("{}:{v}", quoted(k))).collect())),
        }
    }
}

/// One run in one file. Clones are the same journal; any thread may use it.
#[derive(Clone)]
pub struct Journal(Arc<Mutex<Inner>>);
struct Inner {
    file: File, secrets: Vec<String>, hasher: RandomState, time: String, open: BTreeMap<String, Open>, lives: u64,
    commits: BTreeMap<String, u64>, seq: u64, marks: u64, size: u64, keyframe: (u64, u64), ended: bool,
}
struct Open { life: u64, version: u64, tree: Json }
type Subscriber = Arc<dyn Fn(&Json) + Send + Sync>;
/// A recorded store. Clones are the same store.
#[derive(Clone)]
pub struct Store { journal: Journal, base: String, name: String, life: u64, subscribers: Arc<Mutex<Vec<Subscriber>>> }

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
            return Err(Error::new(ErrorKind::InvalidInput, "a redaction does not begin with '/'"));
        }
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
        let (secrets, hasher) = (secrets.iter().map(|s| s.to_string()).collect(), RandomState::new());
        let id = format!("{:016x}{:016x}", hasher.hash_one(0), hasher.hash_one(1));
        let mut inner = Inner {
            file: file?, secrets, hasher, time: String::new(), open: BTreeMap::new(), lives: 0, commits: BTreeMap::new(),
            seq: 0, marks: 0, size: 0, keyframe: (0, 0), ended: false,
        };
        let (time, recorder) = (inner.now(), "recorder.rs".into());
        inner.write("journal", 0, [("version", 1.into()), ("id", id.into()), ("time", time), ("app", app.into()), ("recorder", recorder)])?;
        Ok(Journal(Arc::new(Mutex::new(inner))))
    }

    /// Starts to record a store. While another one of that name is open, it is called `name_2`.
    #[track_caller]
    pub fn store(&self, base: &str, state: impl Into<Json>) -> Result<Store> {
        let (at, inner) = (place(), &mut *self.0.lock().unwrap());
        let names = std::iter::once(base.to_string()).chain((2..).map(|number| format!("{base}_{number}")));
        let name = names.into_iter().find(|name| !inner.open.contains_key(name)).unwrap();
        let (tree, time) = (inner.tree(state.into(), &format!("/{}", escape(base)), false)?, inner.now());
        let what = [("store", name.as_str().into()), ("type", "Json".into()), ("time", time), ("at", at), ("state", tree.clone())];
        inner.write("store", inner.seq, what)?;
        inner.lives += 1;
        inner.commits.entry(name.clone()).or_insert(0);
        inner.open.insert(name.clone(), Open { life: inner.lives, version: 0, tree });
        Ok(Store { journal: self.clone(), base: base.into(), name, life: inner.lives, subscribers: Default::default() })
    }

    /// Records something that the program has to say, such as a tapped button.
    #[track_caller]
    pub fn mark(&self, text: &str, level: Option<&str>, payload: Option<Json>) -> Result<()> {
        let (at, inner) = (place(), &mut *self.0.lock().unwrap());
        let mut members = vec![("time", inner.now()), ("at", at), ("text", text.into())];
        members.extend(level.map(|level| ("level", level.into())));
        if let Some(payload) = payload {
            members.push(("payload", inner.tree(payload, "", true)?));
        }
        inner.write("mark", inner.seq, members)?;
        inner.marks += 1;
        Ok(())
    }

    /// Ends the run. A journal without this was cut short by a crash.
    pub fn end(&self) -> Result<()> {
        let inner = &mut *self.0.lock().unwrap();
        if !inner.ended {
            let (time, totals) = (inner.now(), inner.totals());
            inner.write("end", inner.seq, [("time", time), ("totals", totals)])?;
            inner.ended = true;
        }
        Ok(())
    }
}

impl Store {
    /// Calls a function with each new state. What it commits has that commit as its cause.
    pub fn subscribe(&self, subscriber: impl Fn(&Json) + Send + Sync + 'static) {
        self.subscribers.lock().unwrap().push(Arc::new(subscriber));
    }

    /// Records a new state, then delivers it, and returns the commit's number. An equal state is recorded too.
    #[track_caller]
    pub fn commit(&self, state: impl Into<Json>, name: Option<&str>) -> Result<u64> {
        let (at, state) = (place(), state.into());
        let seq = self.record(state.clone(), name, at)?;
        let subscribers = self.subscribers.lock().unwrap().clone();
        with_cause(Some(seq), || subscribers.iter().for_each(|subscriber| subscriber(&state)));
        Ok(seq)
    }

    fn record(&self, state: Json, name: Option<&str>, at: Json) -> Result<u64> {
        let inner = &mut *self.journal.0.lock().unwrap();
        let next = inner.tree(state, &format!("/{}", escape(&self.base)), false)?;
        let (seq, time) = (inner.seq + 1, inner.now());
        let Some(open) = inner.open.get(&self.name).filter(|open| open.life == self.life) else {
            return Err(Error::new(ErrorKind::InvalidInput, "the store is closed"));
        };
        let (version, mut patch) = (open.version + 1, Vec::new());
        differences(&open.tree, &next, "", &mut patch);
        let mut members = vec![("store", self.name.as_str().into()), ("version", version.into()), ("time", time), ("at", at)];
        members.extend(name.map(|name| ("name", name.into())));
        members.extend(cause().map(|cause| ("cause", cause.into())));
        members.push(("patch", Array(patch)));
        inner.write("commit", seq, members)?;
        inner.seq = seq;
        inner.open.insert(self.name.clone(), Open { life: self.life, version, tree: next });
        *inner.commits.get_mut(&self.name).unwrap() += 1;
        let ((last, end), before) = (inner.keyframe, inner.size);
        if before - end > (1 << 16).max(4 * last) {
            let states = inner.open.iter().map(|(name, open)| (name.clone(), open.tree.clone())).collect();
            // If it cannot be written, the commit is, all the same.
            let _ = inner.write("keyframe", seq, [("states", Object(states)), ("totals", inner.totals())]);
            inner.keyframe = (inner.size - before, inner.size);
        }
        Ok(seq)
    }

    /// Ends the recording of the store.
    pub fn close(&self) -> Result<()> {
        let inner = &mut *self.journal.0.lock().unwrap();
        if inner.open.get(&self.name).is_some_and(|open| open.life == self.life) {
            let time = inner.now();
            inner.write("close", inner.seq, [("store", self.name.as_str().into()), ("time", time)])?;
            inner.open.remove(&self.name);
        }
        Ok(())
    }
}

impl Inner {
    /// Appends a line by one write, so that a kill leaves whole lines. One that does not fit is taken back.
    fn write(&mut self, kind: &str, seq: u64, members: impl IntoIterator<Item = (&'static str, Json)>) -> Result<()> {
        if self.ended {
            return Err(Error::new(ErrorKind::InvalidInput, "the journal has ended"));
        }
        let mut line = format!(r#"{{"seq":{seq},"kind":"{kind}""#);
        for (name, member) in members {
            line += &format!(r#","{name}":{member}"#);
        }
        let bit = |crc: u32, _| (crc >> 1) ^ (0x82f6_3b78 * (crc & 1));
        let crc = !line.bytes().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(byte), bit));
        line += &format!(",\"sum\":\"{crc:08x}\"}}\n");
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            self.file.set_len(self.size)?;
            return Err(error);
        }
        self.size += line.len() as u64;
        Ok(())
    }

    fn totals(&self) -> Json {
        let commits = self.commits.iter().map(|(name, count)| (name.clone(), Json::from(*count))).collect();
        let open = Json::from(self.open.keys().cloned().collect::<Vec<_>>());
        let counts = [("derived", Array(vec![])), ("marks", self.marks.into()), ("gaps", 0.into()), ("aborts", 0.into())];
        let [a, b, c, d] = counts;
        Json::from([("commits", Object(commits)), ("open", open), a, b, c, d])
    }

    /// A time that never falls: a clock that steps back repeats the last one.
    fn now(&mut self) -> Json {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let (seconds, micros) = (now.as_secs(), now.subsec_micros());
        // Days of a calendar whose years begin on the 1st of March of the year 0 (Hinnant's civil_from_days).
        let (era, day) = ((seconds / 86400 + 719_468) / 146_097, (seconds / 86400 + 719_468) % 146_097);
        let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let (day, shift) = (day - (153 * month + 2) / 5 + 1, u64::from(month >= 10));
        let (year, month) = (year + era * 400 + shift, month + 3 - 12 * shift);
        let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
        let time = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z");
        self.time = time.max(std::mem::take(&mut self.time));
        self.time.as_str().into()
    }

    /// A value with hashes in the place of what is redacted. A payload has no path of its own: a member of it is
    /// redacted by the last name of any pointer.
    fn tree(&self, value: Json, path: &str, is_payload: bool) -> Result<Json> {
        if path.matches('/').count() > 512 {
            return Err(Error::new(ErrorKind::InvalidInput, "the state is nested more than 512 deep"));
        }
        let segments: Vec<&str> = path.split('/').skip(1).collect();
        let is_secret = self.secrets.iter().any(|pointer| {
            let pattern: Vec<&str> = pointer.split('/').skip(1).collect();
            let payload_pattern = ["**", pattern[pattern.len() - 1]];
            matches(if is_payload { &payload_pattern } else { &pattern }, &segments)
        });
        if is_secret {
            let hash = format!("{:016x}", self.hasher.hash_one(value.to_string()));
            return Ok(Json::from([("$redacted", hash.into())]));
        }
        let child = |name: &str, value| self.tree(value, &format!("{path}/{}", escape(name)), is_payload);
        Ok(match value {
            Object(all) => Object(all.into_iter().map(|(k, v)| Ok((k.clone(), child(&k, v)?))).collect::<Result<_>>()?),
            Array(all) => {
                Array(all.into_iter().enumerate().map(|(i, v)| child(&i.to_string(), v)).collect::<Result<_>>()?)
            }
            value => value,
        })
    }
}

/// Appends the JSON Patch (RFC 6902) from one tree to another, as deep as possible, with what each operation replaces.
fn differences(old: &Json, new: &Json, path: &str, patch: &mut Vec<Json>) {
    let at = |name: &str| format!("{path}/{}", escape(name));
    let remove = |name: &str, old: &Json| Json::from([("op", "remove".into()), ("path", at(name).into()), ("old", old.clone())]);
    let add = |name: &str, new: &Json| Json::from([("op", "add".into()), ("path", at(name).into()), ("value", new.clone())]);
    match (old, new) {
        (Object(a), Object(b)) if !a.contains_key("$redacted") && !b.contains_key("$redacted") => {
            patch.extend(a.iter().filter(|(name, _)| !b.contains_key(*name)).map(|(name, old)| remove(name, old)));
            for (name, new) in b {
                match a.get(name) {
                    Some(old) => differences(old, new, &at(name), patch),
                    None => patch.push(add(name, new)),
                }
            }
        }
        (Array(a), Array(b)) => {
            let shorter = a.len().min(b.len());
            let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
            let pairs = a.iter().rev().zip(b.iter().rev()).take(shorter - start);
            let end = pairs.take_while(|(a, b)| a == b).count();
            for i in start..shorter - end {
                differences(&a[i], &b[i], &at(&i.to_string()), patch);
            }
            patch.extend((shorter - end..a.len() - end).rev().map(|i| remove(&i.to_string(), &a[i])));
            patch.extend((shorter - end..b.len() - end).map(|i| add(&i.to_string(), &b[i])));
        }
        _ if old == new => {}
        _ => {
            let replace = [("op", "replace".into()), ("path", path.into()), ("value", new.clone()), ("old", old.clone())];
            patch.push(replace.into());
        }
    }
}

fn matches(pattern: &[&str], path: &[&str]) -> bool {
    let is_index = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    match (pattern.split_first(), path.split_first()) {
        (Some((&"**", rest)), step) => matches(rest, path) || step.is_some_and(|(_, after)| matches(pattern, after)),
        (Some((name, rest)), Some((segment, after))) => {
            (*name == "*" || name == segment || is_index(name) && is_index(segment)) && matches(rest, after)
        }
        (name, segment) => name.is_none() && segment.is_none(),
    }
}

#[track_caller]
fn place() -> Json {
    let at = Location::caller();
    let (line, column) = (u64::from(at.line()).into(), u64::from(at.column()).into());
    Json::from([("file", at.file().into()), ("line", line), ("column", column), ("function", "".into())])
}

fn escape(name: &str) -> String { name.replace('~', "~0").replace('/', "~1") }

fn quoted(text: &str) -> String {
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        '\0'..='\x1f' => format!("\\u{:04x}", c as u32),
        _ => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}
