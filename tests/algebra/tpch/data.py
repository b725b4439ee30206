"""The tables of TPC-H, tiny, with NULLs, and with values that its queries ask for."""

from __future__ import annotations

from datetime import date

from tests.support.made_tables import (
    MadeColumn,
    MadeTable,
    Make,
    below,
    between,
    day,
    in_turn,
    money,
    number,
    one_of,
    words,
)

MONEY = "decimal(12,2)"
FIRST, LAST = date(1993, 6, 1), date(1996, 12, 31)
COLOURS = ("forest", "green", "almond")
NATIONS = ("FRANCE", "GERMANY", "BRAZIL", "CANADA", "SAUDI ARABIA", "CHINA", "INDIA", "EGYPT")
REGIONS = ("EUROPE", "ASIA", "AMERICA", "AFRICA")
TYPES = ("ECONOMY ANODIZED STEEL", "PROMO BRUSHED BRASS", "MEDIUM POLISHED TIN", "LARGE PLATED BRASS")
CONTAINERS = ("SM CASE", "SM BOX", "MED BAG", "MED BOX", "LG CASE", "LG PKG")


def key(name: str, make: Make = number) -> MadeColumn:
    return MadeColumn(name, "bigint", make, key=True)


def link(name: str, make: Make) -> MadeColumn:
    return MadeColumn(name, "bigint", make)


def text(name: str, make: Make) -> MadeColumn:
    return MadeColumn(name, "string", make)


def amount(name: str, low: float, high: float) -> MadeColumn:
    return MadeColumn(name, MONEY, money(low, high))


def when(name: str) -> MadeColumn:
    return MadeColumn(name, "date", day(FIRST, LAST))


TABLES = {
    "region": MadeTable(4, (key("r_regionkey"), text("r_name", in_turn(REGIONS)), text("r_comment", words("a", "b")))),
    "nation": MadeTable(
        8,
        (
            key("n_nationkey"),
            text("n_name", in_turn(NATIONS)),
            link("n_regionkey", in_turn((1, 1, 3, 3, 4, 2, 2, 4))),
            text("n_comment", words("a", "b")),
        ),
    ),
    "supplier": MadeTable(
        25,
        (
            key("s_suppkey"),
            text("s_name", lambda _, row: f"Supplier#{row:03}"),
            text("s_address", words("High", "Street", "Low")),
            link("s_nationkey", below(8)),
            text("s_phone", one_of("13-555", "31-777", "99-1")),
            amount("s_acctbal", -999, 9999),
            text("s_comment", words("Customer", "Complaints", "fine", count=3)),
        ),
    ),
    "part": MadeTable(
        60,
        (
            key("p_partkey"),
            text("p_name", words(*COLOURS)),
            text("p_mfgr", one_of("M#1", "M#2")),
            text("p_brand", one_of("Brand#12", "Brand#23", "Brand#34", "Brand#45")),
            text("p_type", one_of(*TYPES)),
            MadeColumn("p_size", "int", one_of(1, 3, 5, 9, 14, 15, 49)),
            text("p_container", one_of(*CONTAINERS)),
            amount("p_retailprice", 900, 2000),
            text("p_comment", words("a", "b")),
        ),
    ),
    "partsupp": MadeTable(
        200,
        (
            key("ps_partkey", between(1, 60)),
            key("ps_suppkey", between(1, 25)),
            MadeColumn("ps_availqty", "int", between(1, 60)),
            amount("ps_supplycost", 1, 1000),
            text("ps_comment", words("a", "b")),
        ),
        unique=("ps_partkey", "ps_suppkey"),
    ),
    "customer": MadeTable(
        60,
        (
            key("c_custkey"),
            text("c_name", lambda _, row: f"Customer#{row:03}"),
            text("c_address", words("High", "Street", "Low")),
            link("c_nationkey", below(8)),
            text("c_phone", one_of("13-555", "31-777", "23-1", "99-1")),
            amount("c_acctbal", -999, 9999),
            text("c_mktsegment", one_of("BUILDING", "MACHINERY")),
            text("c_comment", words("a", "b")),
        ),
    ),
    "orders": MadeTable(
        250,
        (
            key("o_orderkey"),
            link("o_custkey", between(1, 45)),
            text("o_orderstatus", one_of("F", "O")),
            amount("o_totalprice", 900, 9000),
            when("o_orderdate"),
            text("o_orderpriority", one_of("1-URGENT", "2-HIGH", "3-MEDIUM")),
            text("o_clerk", one_of("C1", "C2")),
            MadeColumn("o_shippriority", "int", one_of(0)),
            text("o_comment", words("special", "requests", "none", count=3)),
        ),
    ),
    "lineitem": MadeTable(
        1200,
        (
            key("l_orderkey", between(1, 250)),
            link("l_partkey", below(60)),
            link("l_suppkey", below(25)),
            key("l_linenumber", between(1, 9)),
            amount("l_quantity", 1, 100),
            amount("l_extendedprice", 900, 9000),
            amount("l_discount", 0, 0.1),
            amount("l_tax", 0, 0.08),
            text("l_returnflag", one_of("R", "A", "N")),
            text("l_linestatus", one_of("F", "O")),
            when("l_shipdate"),
            when("l_commitdate"),
            when("l_receiptdate"),
            text("l_shipinstruct", one_of("DELIVER IN PERSON", "NONE")),
            text("l_shipmode", one_of("AIR", "AIR REG", "MAIL", "SHIP")),
            text("l_comment", words("a", "b")),
        ),
        unique=("l_orderkey", "l_linenumber"),
    ),
}
