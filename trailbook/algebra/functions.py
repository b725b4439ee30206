"""Spark's functions and what is known of each. A name that is not here is somebody's own function: trust it in nothing.

The tables are sets of names by trait. `takes` says for which arguments a function can never raise, a letter each:

    s  anything that has a text: numbers, dates, booleans, binary, too
    n  a number
    t  a date or a timestamp
    c  an array, a map or a struct
    *  anything
    =  anything, but text only with text: mixed, it would be cast

A `+` lets the letter before it stand for further arguments.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from trailbook.algebra.function_names import ALL_NAMES, OWN_NAMES


class FunctionKind(StrEnum):
    SCALAR = "scalar"
    AGGREGATE = "aggregate"
    """Can be used as a window function, too."""
    WINDOW = "window"
    """Needs an OVER clause."""
    GENERATOR = "generator"
    """Makes rows of one row, in LATERAL VIEW."""
    TABLE = "table"
    """Stands in FROM; or, as `window` does, multiplies the rows of the query around it."""


@dataclass(frozen=True)
class Function:
    """What is known of a function of Spark."""

    name: str
    kind: FunctionKind
    deterministic: bool
    """The same arguments give the same value, at any time, in any session; but see `order_dependent`."""
    order_dependent: bool
    """The value depends on the order of the rows, or on which of several equal ones comes first."""
    strict: bool
    """NULL if any argument is NULL (lambdas aside)."""
    takes: str | None
    """Arguments for which it never raises; none if it may whatever they are."""
    forgiving: str | None
    """The function that gives NULL where this one raises, and is the same otherwise."""

    @property
    def total(self) -> bool:
        """Whether it never raises, whatever values its arguments have, if their types are those it `takes`."""
        return self.takes is not None


def lookup(name: str) -> Function | None:
    """The function of this name, in any case; None if Spark has none."""
    return _REGISTRY.get(name.lower())


AGGREGATES = """
    any any_value approx_count_distinct approx_percentile approx_top_k approx_top_k_accumulate approx_top_k_combine
    array_agg avg bit_and bit_or bit_xor bitmap_and_agg bitmap_construct_agg bitmap_or_agg bool_and bool_or
    collect_list collect_set collect_union corr count count_if count_min_sketch covar_pop covar_samp every first
    first_value grouping grouping_id histogram_numeric hll_sketch_agg hll_union_agg kll_merge_agg_bigint
    kll_merge_agg_double kll_merge_agg_float kll_sketch_agg_bigint kll_sketch_agg_double kll_sketch_agg_float kurtosis
    last last_value listagg max max_by mean measure median min min_by mode only percentile percentile_approx
    percentile_cont percentile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy
    regr_syy schema_of_variant_agg skewness some std stddev stddev_pop stddev_samp string_agg sum
    theta_intersection_agg theta_sketch_agg theta_union_agg try_avg try_sum tuple_intersection_agg_double
    tuple_intersection_agg_integer tuple_sketch_agg_double tuple_sketch_agg_integer tuple_union_agg_double
    tuple_union_agg_integer var_pop var_samp variance vector_avg vector_sum
""".split()

WINDOWS = "counter_diff cume_dist dense_rank lag lead nth_value ntile percent_rank rank row_number".split()

GENERATORS = """
    explode explode_outer inline inline_outer json_tuple posexplode posexplode_outer stack variant_explode
    variant_explode_outer
""".split()

TABLES = "collations python_worker_logs range session_window sql_keywords window".split()

UNREPEATABLE = """
    aes_encrypt curdate current_catalog current_database current_date current_path current_schema current_time
    current_timestamp current_timezone current_user input_file_block_length input_file_block_start input_file_name
    java_method localtime localtimestamp monotonically_increasing_id now python_worker_logs rand randn random randstr
    reflect session_user shuffle spark_partition_id try_reflect uniform user uuid version
""".split()

ORDER_DEPENDENT = """
    any_value approx_percentile approx_top_k approx_top_k_accumulate approx_top_k_combine array_agg collect_list
    collect_set collect_union counter_diff first first_value histogram_numeric hll_sketch_agg hll_union_agg
    kll_merge_agg_bigint kll_merge_agg_double kll_merge_agg_float kll_sketch_agg_bigint kll_sketch_agg_double
    kll_sketch_agg_float lag last last_value lead listagg max_by min_by mode nth_value ntile percentile_approx
    row_number schema_of_variant_agg string_agg theta_intersection_agg theta_sketch_agg theta_union_agg
    tuple_intersection_agg_double tuple_intersection_agg_integer tuple_sketch_agg_double tuple_sketch_agg_integer
    tuple_union_agg_double tuple_union_agg_integer
""".split()

TAKES = {
    "s": "ascii base64 bit_length btrim char_length character_length crc32 hex initcap is_valid_utf8 lcase len length "
    "lower ltrim luhn_check make_valid_utf8 md5 octet_length quote rtrim sha sha1 soundex to_base32 trim ucase upper",
    "ss": "contains endswith find_in_set instr startswith",
    "s+": "concat_ws",
    "sn": "left right",
    "snn": "substr substring",
    "ssn": "levenshtein locate position substring_index",
    "sss": "replace translate",
    "n": "acos acosh asin asinh atan atanh bit_count cbrt ceil ceiling cos cosh cot csc degrees exp expm1 floor isnan "
    "ln log10 log1p log2 positive radians rint sec sign signum sin sinh sqrt tan tanh corr count_min_sketch kurtosis "
    "skewness std stddev stddev_pop stddev_samp var_pop var_samp variance bit_and bit_or bit_xor",
    "nn": "atan2 hypot log nanvl pow power shiftleft shiftright shiftrightunsigned corr covar_pop covar_samp regr_avgx "
    "regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy try_add try_divide try_multiply "
    "try_subtract try_mod",
    "t": "date day dayname dayofmonth dayofweek dayofyear hour last_day minute month monthname quarter second "
    "unix_date unix_micros unix_millis unix_seconds weekday weekofyear year",
    "tt": "date_diff datediff months_between",
    "st": "date_trunc",
    "ts": "trunc",
    "c": "array_compact array_distinct array_max array_min array_size map_entries map_keys map_values",
    "cc": "array_except array_intersect array_union arrays_overlap",
    "*": "any_value approx_count_distinct array_agg cardinality collect_list collect_set count_if first first_value "
    "isnotnull isnull lag last last_value lead max min mode nth_value size typeof any bool_and bool_or every some "
    "try_avg try_sum not ! only",
    "**": "max_by min_by",
    "*+": "array count hash named_struct struct xxhash64",
    "=+": "coalesce equal_null greatest ifnull least nullif nvl",
    "": "cume_dist dense_rank e grouping_id percent_rank pi rank row_number",
}

STRICT = "".split()

FORGIVING = {
    "aes_decrypt": "try_aes_decrypt",
    "avg": "try_avg",
    "element_at": "try_element_at",
    "make_interval": "try_make_interval",
    "make_timestamp": "try_make_timestamp",
    "make_timestamp_ltz": "try_make_timestamp_ltz",
    "make_timestamp_ntz": "try_make_timestamp_ntz",
    "mean": "try_avg",
    "mod": "try_mod",
    "parse_json": "try_parse_json",
    "parse_url": "try_parse_url",
    "sum": "try_sum",
    "to_binary": "try_to_binary",
    "to_date": "try_to_date",
    "to_number": "try_to_number",
    "to_time": "try_to_time",
    "to_timestamp": "try_to_timestamp",
    "url_decode": "try_url_decode",
    "validate_utf8": "try_validate_utf8",
    "variant_get": "try_variant_get",
}


def _registry() -> dict[str, Function]:
    kinds = {
        **dict.fromkeys(AGGREGATES, FunctionKind.AGGREGATE),
        **dict.fromkeys(WINDOWS, FunctionKind.WINDOW),
        **dict.fromkeys(GENERATORS, FunctionKind.GENERATOR),
        **dict.fromkeys(TABLES, FunctionKind.TABLE),
    }
    takes = {name: letters for letters, names in TAKES.items() for name in names.split()}
    return {
        name: Function(
            name=name,
            kind=kinds.get(name, FunctionKind.SCALAR),
            deterministic=name not in UNREPEATABLE,
            order_dependent=name in ORDER_DEPENDENT,
            strict=name in STRICT,
            takes=takes.get(name),
            forgiving=FORGIVING.get(name),
        )
        for name in (*ALL_NAMES, *OWN_NAMES)
    }


_REGISTRY = _registry()
