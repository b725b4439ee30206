"""Shops in three channels, after TPC-DS: tiny, with NULLs."""

from __future__ import annotations

from datetime import date, timedelta

from tests.support.made_tables import MadeColumn, MadeTable, Make, below, between, in_turn, money, number, one_of

MONEY = "decimal(7,2)"
FIRST_DAY = date(2000, 1, 1)
DAYS = 60
STEP = 18
"""Days from one row of date_dim to the next: three years in few rows."""


def key(name: str) -> MadeColumn:
    return MadeColumn(name, "int", number, key=True)


def whole(name: str, make: Make) -> MadeColumn:
    return MadeColumn(name, "int", make)


def text(name: str, *values: str) -> MadeColumn:
    return MadeColumn(name, "string", one_of(*values))


def amount(name: str, low: int, high: int) -> MadeColumn:
    return MadeColumn(name, MONEY, money(low, high))


def the_day(row: int) -> date:
    return FIRST_DAY + timedelta(days=STEP * row)


def sales(prefix: str, rows: int, place: MadeColumn) -> MadeTable:
    columns = (
        whole(f"{prefix}_sold_date_sk", below(DAYS)),
        whole(f"{prefix}_item_sk", below(18)),
        whole(f"{prefix}_customer_sk", below(30)),
        place,
        MadeColumn(f"{prefix}_order_number", "int", between(1, rows // 3), key=True),
        whole(f"{prefix}_quantity", between(1, 100)),
        amount(f"{prefix}_sales_price", 1, 200),
        amount(f"{prefix}_ext_sales_price", 1, 9000),
        amount(f"{prefix}_net_profit", -900, 900),
    )
    return MadeTable(rows, columns)


TABLES = {
    "date_dim": MadeTable(
        DAYS,
        (
            key("d_date_sk"),
            MadeColumn("d_date", "date", lambda _, row: the_day(row), key=True),
            MadeColumn("d_year", "int", lambda _, row: the_day(row).year, key=True),
            MadeColumn("d_moy", "int", lambda _, row: the_day(row).month, key=True),
            MadeColumn("d_qoy", "int", lambda _, row: (the_day(row).month + 2) // 3, key=True),
            MadeColumn("d_day_name", "string", lambda _, row: the_day(row).strftime("%A"), key=True),
        ),
    ),
    "item": MadeTable(
        18,
        (
            key("i_item_sk"),
            MadeColumn("i_item_id", "string", lambda _, row: f"ITEM{row // 2:03}"),
            text("i_category", "Books", "Music", "Sports"),
            text("i_class", "classical", "rock", "fiction"),
            text("i_brand", "brand#1", "brand#2", "brand#3"),
            amount("i_current_price", 1, 100),
            text("i_color", "red", "blue", "green"),
        ),
    ),
    "store": MadeTable(
        5,
        (
            key("s_store_sk"),
            MadeColumn("s_store_name", "string", in_turn(("ought", "able", "ese", "anti", "bar"))),
            text("s_state", "TN", "GA", "SD"),
            text("s_county", "Ziebach", "Walker"),
        ),
    ),
    "customer": MadeTable(
        30,
        (
            key("c_customer_sk"),
            MadeColumn("c_customer_id", "string", lambda _, row: f"C{row:04}"),
            text("c_first_name", "Ann", "Bob", "Cyd"),
            text("c_last_name", "Ash", "Birch", "Cedar"),
            whole("c_current_addr_sk", below(20)),
            whole("c_birth_year", between(1950, 1990)),
        ),
    ),
    "customer_address": MadeTable(
        20,
        (
            key("ca_address_sk"),
            text("ca_state", "TN", "GA", "SD", "TX"),
            text("ca_city", "Oakland", "Fairview", "Salem"),
            text("ca_zip", "85669", "86197", "10000"),
        ),
    ),
    "store_sales": sales("ss", 400, whole("ss_store_sk", below(5))),
    "web_sales": sales("ws", 200, whole("ws_web_site_sk", below(3))),
    "catalog_sales": sales("cs", 250, whole("cs_call_center_sk", below(3))),
    "store_returns": MadeTable(
        120,
        (
            whole("sr_returned_date_sk", below(DAYS)),
            whole("sr_item_sk", below(18)),
            whole("sr_customer_sk", below(30)),
            whole("sr_store_sk", below(5)),
            whole("sr_order_number", between(1, 133)),
            whole("sr_return_quantity", between(1, 20)),
            amount("sr_return_amt", 1, 2000),
        ),
    ),
}
