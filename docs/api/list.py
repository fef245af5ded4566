#!/usr/bin/env python3
"""Writes the public surface of a crate, one item a line, from the JSON that rustdoc makes of it.

    docs/api/list.py CRATE.json > docs/api/CRATE.txt

Items are sorted, so that a change shows as the lines that changed. What is hidden from the documentation is left out, and
so is what every type has.
"""

import json
import sys

# What the compiler gives to every type, or derives: one word each after the type.
DERIVED = {"Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"}
SILENT = {"StructuralPartialEq", "Freeze", "UnsafeUnpin", "UnwindSafe", "RefUnwindSafe", "Unpin", "Send", "Sync"}


class Surface:
    def __init__(self, crate):
        self.index = {int(key): item for key, item in crate["index"].items()}
        self.root = crate["root"]
        self.lines = set()
        self.seen = set()

    def item(self, number):
        return self.index.get(number)

    # Types, as they are written.

    def type(self, ty):
        if ty is None:
            return "_"
        (kind, value), = ty.items()
        if kind == "primitive":
            return {"never": "!", "unit": "()"}.get(value, value)
        if kind == "generic":
            return value
        if kind == "resolved_path":
            return self.path(value)
        if kind == "borrowed_ref":
            life = f"{value['lifetime']} " if value["lifetime"] else ""
            mutable = "mut " if value["is_mutable"] else ""
            return f"&{life}{mutable}{self.type(value['type'])}"
        if kind == "raw_pointer":
            return f"*{'mut' if value['is_mutable'] else 'const'} {self.type(value['type'])}"
        if kind == "tuple":
            return "(" + ", ".join(self.type(one) for one in value) + ("," if len(value) == 1 else "") + ")"
        if kind == "slice":
            return f"[{self.type(value)}]"
        if kind == "array":
            return f"[{self.type(value['type'])}; {value['len']}]"
        if kind == "impl_trait":
            return "impl " + self.bounds(value)
        if kind == "dyn_trait":
            parts = [self.poly(one) for one in value["traits"]]
            parts += [value["lifetime"]] if value["lifetime"] else []
            return "dyn " + " + ".join(parts)
        if kind == "qualified_path":
            owner = self.type(value["self_type"])
            trait = value["trait"]
            name = value["name"] + self.args(value.get("args"))
            if trait and trait["path"]:
                return f"<{owner} as {self.path(trait)}>::{name}"
            return f"{owner}::{name}"
        if kind == "function_pointer":
            return "fn" + self.signature(value["sig"], names=False)
        return kind

    def path(self, path):
        name = path["path"].split("::")[-1]
        return name + self.args(path.get("args"))

    def args(self, args):
        if not args:
            return ""
        (kind, value), = args.items()
        if kind == "parenthesized":
            inputs = ", ".join(self.type(one) for one in value["inputs"])
            output = f" -> {self.type(value['output'])}" if value["output"] else ""
            return f"({inputs}){output}"
        if kind != "angle_bracketed":
            return ""
        parts = []
        for one in value["args"]:
            if one == "infer":
                parts.append("_")
                continue
            (form, inner), = one.items()
            parts.append(inner if form == "lifetime" else inner["expr"] if form == "const" else self.type(inner))
        for one in value["constraints"]:
            (form, inner), = one["binding"].items()
            if form == "equality":
                (_, term), = inner.items()
                parts.append(f"{one['name']} = {self.type(term)}")
            else:
                parts.append(f"{one['name']}: {self.bounds(inner)}")
        return f"<{', '.join(parts)}>" if parts else ""

    def poly(self, poly):
        higher = [one["name"] for one in poly["generic_params"]]
        return (f"for<{', '.join(higher)}> " if higher else "") + self.path(poly["trait"])

    def bounds(self, bounds):
        parts = []
        for one in bounds:
            (kind, value), = one.items()
            if kind == "trait_bound":
                maybe = "?" if value["modifier"] == "maybe" else ""
                higher = [one["name"] for one in value["generic_params"]]
                forall = f"for<{', '.join(higher)}> " if higher else ""
                parts.append(maybe + forall + self.path(value["trait"]))
            elif kind == "outlives":
                parts.append(value)
            elif kind == "use":
                names = [next(iter(one.values())) if isinstance(one, dict) else one for one in value]
                parts.append(f"use<{', '.join(names)}>")
        return " + ".join(parts)

    def generics(self, generics):
        parts, where = [], []
        for one in generics["params"]:
            (kind, value), = one["kind"].items()
            if kind == "type" and value["is_synthetic"]:
                continue
            text = one["name"]
            if kind == "type" and value["bounds"]:
                text += ": " + self.bounds(value["bounds"])
            if kind == "const":
                text = f"const {text}: {self.type(value['type'])}"
            parts.append(text)
        for one in generics["where_predicates"]:
            (kind, value), = one.items()
            if kind == "bound_predicate":
                where.append(f"{self.type(value['type'])}: {self.bounds(value['bounds'])}")
        return f"<{', '.join(parts)}>" if parts else "", " where " + ", ".join(where) if where else ""

    def signature(self, sig, names=True):
        parts = []
        for name, ty in sig["inputs"]:
            text = self.type(ty)
            if name == "self":
                text = {"Self": "self", "&Self": "&self", "&mut Self": "&mut self"}.get(text, f"self: {text}")
                parts.append(text)
            else:
                parts.append(f"{name}: {text}" if names else text)
        output = f" -> {self.type(sig['output'])}" if sig["output"] else ""
        return f"({', '.join(parts)}){output}"

    # Items, as lines.

    def function(self, path, item):
        value = item["inner"]["function"]
        params, where = self.generics(value["generics"])
        const = "const " if value["header"]["is_const"] else ""
        unsafe = "unsafe " if value["header"]["is_unsafe"] else ""
        self.lines.add(f"{const}{unsafe}fn {path}{params}{self.signature(value['sig'])}{where}")

    def member(self, path, number):
        item = self.item(number)
        if item is None:
            return
        (kind, value), = item["inner"].items()
        here = f"{path}::{item['name']}"
        if kind == "function":
            self.function(here, item)
        elif kind == "assoc_const":
            self.lines.add(f"const {here}: {self.type(value['type'])}")
        elif kind == "assoc_type":
            bound = f": {self.bounds(value['bounds'])}" if value["bounds"] else ""
            given = f" = {self.type(value['type'])}" if value["type"] else ""
            self.lines.add(f"type {here}{bound}{given}")

    def impls(self, path, numbers):
        for number in numbers:
            item = self.item(number)
            if item is None:
                continue
            value = item["inner"]["impl"]
            if value["is_synthetic"] or value["blanket_impl"]:
                continue
            if value["trait"] is None:
                for one in value["items"]:
                    self.member(path, one)
                continue
            name = value["trait"]["path"].split("::")[-1]
            if name in SILENT:
                continue
            if name in DERIVED and not value["trait"].get("args"):
                self.lines.add(f"impl {path}: {name}")
                continue
            params, where = self.generics(value["generics"])
            self.lines.add(f"impl{params} {self.path(value['trait'])} for {self.type(value['for'])}{where}")

    def fields(self, path, numbers):
        for number in numbers:
            item = self.item(number) if number is not None else None
            if item is not None and "struct_field" in item["inner"]:
                self.lines.add(f"field {path}.{item['name']}: {self.type(item['inner']['struct_field'])}")

    def kind_fields(self, path, kind):
        if isinstance(kind, dict):
            (form, value), = kind.items()
            self.fields(path, value if form == "tuple" else value["fields"])

    def walk(self, path, number):
        item = self.item(number)
        if item is None or (path, number) in self.seen:
            return
        self.seen.add((path, number))
        (kind, value), = item["inner"].items()
        open_ended = " (non-exhaustive)" if "non_exhaustive" in json.dumps(item["attrs"]) else ""
        if kind == "module":
            for one in value["items"]:
                inner = self.item(one)
                if inner is None or inner["visibility"] != "public":
                    continue
                if "use" in inner["inner"]:
                    used = inner["inner"]["use"]
                    if used["id"] is not None and self.item(used["id"]) is not None:
                        self.walk(path if used["is_glob"] else f"{path}::{used['name']}", used["id"])
                    else:
                        self.lines.add(f"use {path}::{used['name']} = {used['source']}")
                else:
                    self.walk(f"{path}::{inner['name']}", one)
        elif kind == "function":
            self.function(path, item)
        elif kind == "struct":
            params, where = self.generics(value["generics"])
            self.lines.add(f"struct {path}{params}{where}{open_ended}")
            self.kind_fields(path, value["kind"])
            self.impls(path, value["impls"])
        elif kind == "enum":
            params, where = self.generics(value["generics"])
            self.lines.add(f"enum {path}{params}{where}{open_ended}")
            for one in value["variants"]:
                variant = self.item(one)
                here = f"{path}::{variant['name']}"
                self.lines.add(f"variant {here}")
                self.kind_fields(here, variant["inner"]["variant"]["kind"])
            self.impls(path, value["impls"])
        elif kind == "trait":
            params, where = self.generics(value["generics"])
            bound = f": {self.bounds(value['bounds'])}" if value["bounds"] else ""
            self.lines.add(f"trait {path}{params}{bound}{where}")
            for one in value["items"]:
                self.member(path, one)
        elif kind == "constant":
            self.lines.add(f"const {path}: {self.type(value['type'])}")
        elif kind == "static":
            self.lines.add(f"static {path}: {self.type(value['type'])}")
        elif kind == "type_alias":
            params, where = self.generics(value["generics"])
            self.lines.add(f"type {path}{params} = {self.type(value['type'])}{where}")
        elif kind == "macro":
            self.lines.add(f"macro {path}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        crate = json.load(file)
    surface = Surface(crate)
    surface.walk(surface.item(surface.root)["name"], surface.root)
    print("\n".join(sorted(surface.lines)))


main()
