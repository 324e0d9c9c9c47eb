//! The kit's driver of recorder.rs: `driver JOURNAL < operations`.
#[path = "../../recorder.rs"]
mod recorder;

use recorder::{cause, with_cause, Journal, Json, Store};
use std::collections::{BTreeMap, HashMap};
use std::io::{Error, ErrorKind, Result};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

type Members = BTreeMap<String, Json>;

/// A reader of JSON, which the library does not have. Scripts are right, so it stops at what is not.
struct Parser<'a>(std::iter::Peekable<std::str::Chars<'a>>);

impl Parser<'_> {
    fn value(&mut self) -> Json {
        match *self.0.peek().unwrap() {
            '"' => Json::String(self.string()),
            '[' => Json::Array(self.list(']', Parser::value)),
            '{' => {
                let member = |parser: &mut Self| (parser.string(), parser.value());
                Json::Object(self.list('}', member).into_iter().collect())
            }
            _ => {
                let mut text = String::new();
                while let Some(c) = self.0.next_if(|c| !",]}".contains(*c)) {
                    text.push(c);
                }
                match text.trim() {
                    "null" => Json::Null,
                    "true" => Json::Bool(true),
                    "false" => Json::Bool(false),
                    number => Json::Number(number.into()),
                }
            }
        }
    }

    fn list<T>(&mut self, end: char, item: impl Fn(&mut Self) -> T) -> Vec<T> {
        let mut items = Vec::new();
        self.skip();
        while *self.0.peek().unwrap() != end {
            items.push(item(self));
            if *self.0.peek().unwrap() == ',' {
                self.skip();
            }
        }
        self.0.next();
        items
    }

    /// Passes over one character and the spaces after it.
    fn skip(&mut self) {
        self.0.next();
        while self.0.next_if_eq(&' ').is_some() {}
    }

    /// A string, with the colon after it where it is a key.
    fn string(&mut self) -> String {
        let mut units = Vec::new();
        self.0.next();
        loop {
            match self.0.next().unwrap() {
                '"' => break,
                '\\' => units.push(match self.0.next().unwrap() {
                    'n' => 10,
                    't' => 9,
                    'r' => 13,
                    'b' => 8,
                    'f' => 12,
                    'u' => {
                        let digits: String = (0..4).map(|_| self.0.next().unwrap()).collect();
                        u16::from_str_radix(&digits, 16).unwrap()
                    }
                    other => other as u16,
                }),
                other => units.extend(other.encode_utf16(&mut [0; 2]).iter()),
            }
        }
        if self.0.next_if_eq(&':').is_some() {
            while self.0.next_if_eq(&' ').is_some() {}
        }
        String::from_utf16_lossy(&units)
    }
}

fn members(value: &Json) -> &Members {
    static NONE: Members = Members::new();
    if let Json::Object(members) = value { members } else { &NONE }
}
fn text<'a>(op: &'a Json, name: &str) -> Option<&'a str> {
    if let Some(Json::String(text)) = members(op).get(name) { Some(text) } else { None }
}
fn number(op: &Json, name: &str) -> Option<u64> {
    if let Some(Json::Number(text)) = members(op).get(name) { text.parse().ok() } else { None }
}
fn list(op: &Json, name: &str) -> Vec<Json> {
    if let Some(Json::Array(elements)) = members(op).get(name) { elements.clone() } else { vec![] }
}

#[derive(Clone)]
struct Driver(Arc<Shared>);
#[derive(Default)]
struct Shared {
    path: String,
    journal: Mutex<Option<Journal>>,
    stores: Mutex<HashMap<String, Store>>,
    states: Mutex<HashMap<String, Json>>,
    count: AtomicU64,
}

impl Driver {
    /// What a value of a script stands for.
    fn expand(&self, json: &Json) -> Json {
        if let Some(text) = text(json, "$number") {
            let is_integer = text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit()) && text != "-0";
            return if is_integer { Json::Number(text.into()) } else { text.parse::<f64>().unwrap().into() };
        }
        if members(json).contains_key("$units") {
            let unit = |unit: Json| unit.to_string().parse::<u16>().unwrap();
            return String::from_utf16_lossy(&list(json, "$units").into_iter().map(unit).collect::<Vec<_>>()).into();
        }
        if let Some(text) = text(json, "$text") {
            return text.repeat(number(json, "times").unwrap() as usize).into();
        }
        if let Some(depth) = number(json, "$nest") {
            return (0..depth).fold(0.into(), |nested, _| Json::Array(vec![nested]));
        }
        if members(json).contains_key("$count") {
            return self.0.count.load(Ordering::SeqCst).into();
        }
        match json {
            Json::Array(elements) => Json::Array(elements.iter().map(|element| self.expand(element)).collect()),
            Json::Object(all) => Json::Object(all.iter().map(|(k, v)| (k.clone(), self.expand(v))).collect()),
            other => other.clone(),
        }
    }

    fn journal(&self) -> Result<Journal> {
        self.0.journal.lock().unwrap().clone().ok_or(Error::new(ErrorKind::Other, "there is no journal"))
    }

    /// The state to commit: a new one, or the program's own, changed.
    fn change(&self, op: &Json, name: &str) -> Json {
        let states = &mut *self.0.states.lock().unwrap();
        if let Some(state) = members(op).get("state") {
            states.insert(name.into(), self.expand(state));
        }
        let Some(Json::Object(state)) = states.get_mut(name) else { return states[name].clone() };
        for (member, value) in members(op).get("put").map(members).into_iter().flatten() {
            state.insert(member.clone(), self.expand(value));
        }
        for (member, value) in members(op).get("push").map(members).into_iter().flatten() {
            if let Some(Json::Array(elements)) = state.get_mut(member) {
                elements.push(self.expand(value));
            }
        }
        states[name].clone()
    }

    fn run(&self, op: &Json) -> Result<()> {
        let name = text(op, "store").unwrap_or("");
        let store = self.0.stores.lock().unwrap().get(name).cloned();
        match text(op, "op").unwrap() {
            "begin" => {
                let redact: Vec<String> = list(op, "redact").iter().map(|json| match json {
                    Json::String(text) => text.clone(),
                    other => other.to_string(),
                }).collect();
                let redact: Vec<&str> = redact.iter().map(String::as_str).collect();
                let journal = Journal::create(&self.0.path, text(op, "app").unwrap_or("kit"), &redact)?;
                *self.0.journal.lock().unwrap() = Some(journal);
            }
            "open" => {
                let (state, name_here) = (self.expand(&members(op)["state"]), text(op, "as").unwrap_or(name));
                let store = self.journal()?.store(name, state.clone())?; // kit:open
                self.0.states.lock().unwrap().insert(name_here.into(), state);
                self.0.stores.lock().unwrap().insert(name_here.into(), store);
            }
            "commit" => {
                let (state, store, title) = (self.change(op, name), store.unwrap(), text(op, "name"));
                with_cause(number(op, "cause").or(cause()), || {
                    if text(op, "line") == Some("b") {
                        store.commit(state, title) // kit:b
                    } else {
                        store.commit(state, title) // kit:a
                    }
                })?;
            }
            "mark" => {
                let (words, payload) = (text(op, "text").unwrap(), members(op).get("payload").map(|it| self.expand(it)));
                self.journal()?.mark(words, text(op, "level"), payload)?; // kit:mark
            }
            "subscribe" => {
                let (driver, body, left) = (self.clone(), list(op, "do"), AtomicU64::new(number(op, "times").unwrap_or(1)));
                let is_task = members(op).contains_key("task");
                store.unwrap().subscribe(move |_| {
                    if left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_err() {
                        return;
                    }
                    if is_task {
                        let (driver, body, delivered) = (driver.clone(), body.clone(), cause());
                        let task = std::thread::spawn(move || with_cause(delivered, || driver.all(&body)));
                        task.join().unwrap().unwrap();
                    } else {
                        driver.all(&body).unwrap();
                    }
                });
            }
            "threads" => {
                let start = |body: Json| {
                    let driver = self.clone();
                    std::thread::spawn(move || if let Json::Array(body) = body { driver.all(&body).unwrap() })
                };
                let threads: Vec<_> = list(op, "do").into_iter().map(start).collect();
                threads.into_iter().for_each(|thread| thread.join().unwrap());
            }
            "repeat" => {
                for _ in 0..number(op, "times").unwrap() {
                    self.0.count.fetch_add(1, Ordering::SeqCst);
                    self.all(&list(op, "do"))?;
                }
            }
            "close" => store.unwrap().close()?,
            "end" => self.journal()?.end()?,
            "kill" => drop(std::process::Command::new("kill").args(["-9", &std::process::id().to_string()]).status()),
            other => panic!("unknown operation {other}"),
        }
        Ok(())
    }

    fn all(&self, operations: &[Json]) -> Result<()> {
        operations.iter().try_for_each(|op| self.run(op))
    }
}

fn main() {
    let path = std::env::args().nth(1).expect("the path of the journal");
    let driver = Driver(Arc::new(Shared { path, ..Shared::default() }));
    for (index, line) in std::io::stdin().lines().enumerate() {
        let op = Parser(line.unwrap().chars().peekable()).value();
        if let Err(error) = driver.run(&op) {
            println!("{{\"fault\":{}}}", index + 1);
            eprintln!("operation {}: {error}", index + 1);
        }
    }
}
