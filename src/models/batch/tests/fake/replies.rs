//! What the server in memory says.

use serde_json::{Value, json};

use super::{BASE, FakeBatch, Fate, State};
use crate::models::dialect::Dialect;

impl State {
    pub(super) fn reply(&mut self, dialect: Dialect, what: &str, body: &[u8]) -> (u16, String) {
        self.now += 1;
        let (path, query) = what.split_once('?').unwrap_or((what, ""));
        let parts: Vec<&str> = path
            .split(['/', ' '])
            .filter(|part| !part.is_empty())
            .collect();
        let value: Value = serde_json::from_slice(body).unwrap_or_default();
        let reply = match (dialect, parts.as_slice()) {
            (Dialect::OpenAi, ["POST", "files"]) => {
                let id = format!("file-{}", self.files.len());
                self.files.insert(id.clone(), body.to_vec());
                json!({"id": id, "object": "file"})
            }
            (Dialect::OpenAi, ["POST", "batches"]) => {
                let file = &self.files[value["input_file_id"].as_str().unwrap()];
                let ids = lines(file).map(|line| id_of(&line, "body")).collect();
                let mark = value["metadata"]["tribunal"].as_str().map(str::to_owned);
                self.create(ids, mark.filter(|_| !self.drops_marks));
                self.openai(self.batches.len() - 1)
            }
            (Dialect::Anthropic, ["POST", "messages", "batches"]) => {
                let requests = value["requests"].as_array().unwrap();
                let ids = requests.iter().map(|request| id_of(request, "params"));
                self.create(ids.collect(), None);
                self.anthropic(self.batches.len() - 1)
            }
            (Dialect::OpenAi, ["GET", "batches"])
            | (Dialect::Anthropic, ["GET", "messages", "batches"]) => {
                return (200, self.list(dialect, query).to_string());
            }
            (Dialect::OpenAi, ["GET", "batches", id]) => self.look(id, Self::openai),
            (Dialect::Anthropic, ["GET", "messages", "batches", id]) => {
                self.look(id, Self::anthropic)
            }
            (Dialect::OpenAi, ["GET", "files", id, "content"]) => {
                let (kind, number) = id.split_once('-').unwrap();
                return (
                    200,
                    self.results(dialect, number.parse().unwrap(), kind == "errors"),
                );
            }
            (Dialect::Anthropic, ["GET", "messages", "batches", id, "results"])
                if !self.no_results_here =>
            {
                return (200, self.results(dialect, number_of(id), false));
            }
            (_, ["GET", "https:", "files.example", id]) => {
                return (200, self.results(dialect, number_of(id), false));
            }
            _ => Value::Null,
        };
        if reply.is_null() {
            return (404, r#"{"error":{"message":"not here"}}"#.to_owned());
        }
        (200, reply.to_string())
    }

    fn create(&mut self, ids: Vec<String>, mark: Option<String>) {
        let under_way = self
            .batches
            .iter()
            .filter(|batch| !self.over(batch))
            .count();
        let full =
            json!([{"code": "token_limit_exceeded", "message": "Enqueued token limit reached"}]);
        self.batches.push(FakeBatch {
            ids,
            mark,
            created_at: self.now,
            errors: (under_way >= self.room).then_some(full),
            ..FakeBatch::default()
        });
    }

    fn over(&self, batch: &FakeBatch) -> bool {
        batch.looks > self.looks || batch.errors.is_some()
    }

    fn look(&mut self, id: &str, show: fn(&Self, usize) -> Value) -> Value {
        let number = number_of(id);
        match self.batches.get_mut(number) {
            Some(batch) => batch.looks += 1,
            None => return Value::Null,
        }
        show(self, number)
    }

    fn list(&self, dialect: Dialect, query: &str) -> Value {
        // Two a page, so that there are pages.
        let after = query
            .rsplit_once("after")
            .and_then(|(_, rest)| rest.split_once('='));
        let from = after.map_or(self.batches.len(), |(_, id)| number_of(id));
        let numbers: Vec<usize> = (0..from).rev().take(2).collect();
        let show = |number: &usize| {
            if dialect == Dialect::OpenAi {
                self.openai(*number)
            } else {
                self.anthropic(*number)
            }
        };
        let data: Vec<Value> = numbers.iter().map(show).collect();
        json!({"data": data, "has_more": numbers.last().is_some_and(|last| *last > 0)})
    }

    fn fates(&self, number: usize) -> Vec<Fate> {
        let batch = &self.batches[number];
        batch.ids.iter().map(|id| (self.fate)(number, id)).collect()
    }

    fn openai(&self, number: usize) -> Value {
        let batch = &self.batches[number];
        let fates = self.fates(number);
        let status = match () {
            () if batch.errors.is_some() => "failed",
            () if !self.over(batch) => ["validating", "in_progress"][batch.looks.min(1) as usize],
            () if fates.contains(&Fate::Expired) => "expired",
            () if fates.contains(&Fate::Canceled) => "cancelled",
            () => "completed",
        };
        let over = self.over(batch) && batch.errors.is_none();
        let good =
            |fate: &&Fate| matches!(fate, Fate::Answered | Fate::Twice | Fate::TwiceOtherwise);
        let done = if over {
            fates.iter().filter(good).count()
        } else {
            batch.looks.min(1) as usize
        };
        json!({
            "id": format!("batch_{number}"), "status": status, "created_at": batch.created_at,
            "metadata": batch.mark.as_ref().map(|mark| json!({"tribunal": mark})),
            "errors": batch.errors.as_ref().map(|errors| json!({"data": errors})),
            "output_file_id": over.then(|| format!("output-{number}")),
            "error_file_id": over.then(|| format!("errors-{number}")),
            "request_counts": {"total": batch.ids.len(), "completed": done, "failed": 0},
        })
    }

    fn anthropic(&self, number: usize) -> Value {
        let batch = &self.batches[number];
        let over = self.over(batch);
        let fates = self.fates(number);
        let count = |wanted: &[Fate]| {
            if over {
                fates.iter().filter(|fate| wanted.contains(fate)).count()
            } else {
                0
            }
        };
        let succeeded = count(&[Fate::Answered, Fate::Twice, Fate::TwiceOtherwise]);
        let expired = count(&[Fate::Expired]);
        json!({
            "id": format!("msgbatch_{number}"),
            "processing_status": if over { "ended" } else { "in_progress" },
            "created_at": format!("1970-01-12T{:02}:{:02}:{:02}Z", 13 + (batch.created_at - 997_200) / 3600,
                batch.created_at % 3600 / 60, batch.created_at % 60),
            "request_counts": {"processing": if over { 0 } else { batch.ids.len() }, "succeeded": succeeded,
                "expired": expired, "errored": count(&[Fate::Errored, Fate::BadRequest, Fate::Unmentioned]), "canceled": count(&[Fate::Canceled])},
            "results_url": over.then(|| if self.results_base == BASE {
                format!("{BASE}/messages/batches/msgbatch_{number}/results")
            } else {
                format!("{}/msgbatch_{number}", self.results_base)
            }),
        })
    }

    /// Results in an order of their own.
    fn results(&self, dialect: Dialect, number: usize, of_errors: bool) -> String {
        let batch = &self.batches[number];
        let mut lines = Vec::new();
        for (id, fate) in batch.ids.iter().zip(self.fates(number)) {
            let answer = |text: &str| {
                if dialect == Dialect::OpenAi {
                    json!({"custom_id": id, "response": {"status_code": 200, "body": {"text": text}}, "error": null})
                } else {
                    json!({"custom_id": id, "result": {"type": "succeeded", "message": {"text": text}}})
                }
            };
            let error = |code: &str, kind: &str| {
                if dialect == Dialect::OpenAi {
                    json!({"custom_id": id, "response": null, "error": {"code": code}})
                } else {
                    json!({"custom_id": id, "result": {"type": kind, "error": {"code": code}}})
                }
            };
            let good = matches!(
                fate,
                Fate::Answered | Fate::Twice | Fate::TwiceOtherwise | Fate::BadRequest
            );
            if dialect == Dialect::OpenAi && good == of_errors {
                continue;
            }
            lines.extend(match fate {
                Fate::Answered => vec![answer(id)],
                Fate::Twice => vec![answer(id), answer(id)],
                Fate::TwiceOtherwise => vec![answer(id), answer("another")],
                Fate::BadRequest => {
                    vec![json!({"custom_id": id, "response": {"status_code": 400, "body": "bad"}})]
                }
                Fate::Expired => vec![error("batch_expired", "expired")],
                Fate::Canceled => vec![error("batch_cancelled", "canceled")],
                Fate::Errored => vec![error("request_timeout", "errored")],
                Fate::Unmentioned => Vec::new(),
            });
        }
        lines.reverse();
        let middle = lines.len() / 2;
        lines.rotate_left(middle);
        let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
        lines.join("\n")
    }
}

fn lines(form: &[u8]) -> impl Iterator<Item = Value> {
    form.split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice(line).ok())
        .filter(Value::is_object)
}

fn id_of(request: &Value, params: &str) -> String {
    assert!(request[params]["prompt"].is_string(), "{request}");
    request["custom_id"].as_str().unwrap().to_owned()
}

fn number_of(id: &str) -> usize {
    id.rsplit_once('_').unwrap().1.parse().unwrap()
}
