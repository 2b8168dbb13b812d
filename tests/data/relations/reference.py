"""Random tables, and what SQLite makes of joining, grouping and exploding them: writes `cases.jsonl`.

    python3 reference.py > cases.jsonl

A line is one case: the tables (rows as objects, absent values as null), the operation, and the rows that SQLite gives, in the
order that docs/relations.md promises: of joins that of the left table, then that of the right; of groups that of their first rows.
"""
import json
import random
import sqlite3

WORDS = ["a", "b", "ß", "É", "e\u0301", "日本", "a b", "", "A"]


def table(rnd, rows, prefix, unique):
    out, seen = [], set()
    while len(out) < rows:
        row = {
            "k": None if rnd.random() < 0.15 else rnd.choice(WORDS[:-2] if unique else WORDS),
            "i": None if rnd.random() < 0.1 else rnd.randrange(-2, 3 if not unique else 9),
            prefix + "v": None if rnd.random() < 0.25 else rnd.randrange(-8, 9) / 4,
            prefix + "w": None if rnd.random() < 0.2 else rnd.choice(WORDS) + str(len(out)),
        }
        key = (row["k"], row["i"])
        if unique and None not in key and key in seen:
            continue
        seen.add(key)
        out.append(row)
    return out


def load(db, name, rows, prefix):
    db.execute(f"create table {name}(k text, i integer, {prefix}v real, {prefix}w text, at integer)")
    for at, row in enumerate(rows):
        db.execute(f"insert into {name} values(?, ?, ?, ?, ?)", [*row.values(), at])


def query(db, sql):
    cursor = db.execute(sql)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row)) for row in cursor.fetchall()]


def join(rnd, sizes):
    how = rnd.choice(["left", "inner", "anti", "cross"])
    many = how in ("left", "inner") and rnd.random() < 0.4
    left = table(rnd, rnd.choice(sizes), "l", False)
    right = table(rnd, min(rnd.choice(sizes), 8 if how == "cross" else 40), "r", not many and how in ("left", "inner"))
    on = rnd.choice([["k"], ["k", "i"]]) if many or how == "anti" else ["k", "i"]
    db = sqlite3.connect(":memory:")
    load(db, "one", left, "l")
    load(db, "two", right, "r")
    own = "one.k, one.i, lv, lw"
    equal = " and ".join(f"one.{key} = two.{key}" for key in on)
    sql = {
        "left": f"select {own}, rv, rw from one left join two on {equal} order by one.at, two.at",
        "inner": f"select {own}, rv, rw from one join two on {equal} order by one.at, two.at",
        "anti": f"select {own} from one where not exists (select 1 from two where {equal}) order by one.at",
        "cross": f"select {own}, rv, rw from one, two order by one.at, two.at",
    }[how]
    return {
        "join": {"how": how, "on": [] if how == "cross" else on, "many": many},
        "left": left,
        "right": right,
        "rows": query(db, sql),
    }


AGGREGATES = {
    "n_all": ("count()", "count(*)"),
    "average": ("mean(lv)", "avg(lv)"),
    "total": ("sum(lv)", "case when count(lv) = count(*) then sum(lv) end"),
    "least": ("min(lv)", "min(lv)"),
    "most": ("max(lv)", "max(lv)"),
    "above": ("count(lv > 0)", "case when count(lv) = count(*) then sum(lv > 0) end"),
    "part": ("share(lv > 0)", "avg(lv > 0)"),
    "some": ("any(lv > 1)", "case when max(lv > 1) = 1 then 1 when count(lv) < count(*) then null else 0 end"),
    "every_one": ("all(lv > -1)", "case when min(lv > -1) = 0 then 0 when count(lv) < count(*) then null else 1 end"),
    "range": ("max(lv) - min(lv)", "max(lv) - min(lv)"),
}


def group(rnd, sizes):
    rows = table(rnd, rnd.choice(sizes), "l", False)
    by = rnd.choice([["k"], ["i"], ["k", "i"], ["i", "k"]])
    db = sqlite3.connect(":memory:")
    load(db, "one", rows, "l")
    names = rnd.sample(sorted(AGGREGATES), rnd.randrange(1, 6))
    of = ", ".join(f"{AGGREGATES[name][1]} as {name}" for name in names)
    keys = ", ".join(by)
    found = query(db, f"select {keys}, {of} from one group by {keys} order by min(at)")
    for row in found:
        for name in set(names) & {"some", "every_one"}:
            row[name] = None if row[name] is None else bool(row[name])
    return {"group": {"by": by, "compute": {name: AGGREGATES[name][0] for name in names}}, "left": rows, "rows": found}


def explode(rnd, sizes):
    rows = []
    for row in table(rnd, rnd.choice(sizes), "l", False):
        many = rnd.choice([0, 0, 1, 2, 3])
        row["list"] = None if rnd.random() < 0.15 else [rnd.choice([None, *WORDS]) for _ in range(many)]
        rows.append(row)
    db = sqlite3.connect(":memory:")
    db.execute("create table one(k text, i integer, lv real, lw text, list text, at integer)")
    for at, row in enumerate(rows):
        values = [json.dumps(value) if name == "list" and value is not None else value for name, value in row.items()]
        db.execute("insert into one values(?, ?, ?, ?, ?, ?)", [*values, at])
    keep = rnd.random() < 0.5
    # An absent list is a row with an absent element; an empty one is such a row where that is asked for.
    sql = f"""select k, i, lv, lw, element, number from (
                select one.at as at, k, i, lv, lw, value as element, key + 1 as number
                from one, json_each(list) where list is not null
                union all
                select at, k, i, lv, lw, null, null from one where list is null {"or list = '[]'" if keep else ""})
              order by at, number"""
    return {"explode": {"empty": "keep" if keep else "drop"}, "left": rows, "rows": query(db, sql)}


def main():
    rnd = random.Random(20)
    sizes = [0, 1, 1, 2, 5, 12, 30]
    for make, cases in ((join, 60), (group, 60), (explode, 30)):
        for _ in range(cases):
            case = make(rnd, sizes)
            if case["left"] or "join" not in case:
                print(json.dumps(case, ensure_ascii=False))


if __name__ == "__main__":
    main()
