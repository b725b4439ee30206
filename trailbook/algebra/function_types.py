"""The types of functions' results. A name that stands in no table here has a type that only Spark knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trailbook.algebra.coercion import arithmetic_type, common_type
from trailbook.algebra.datatypes import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DOUBLE,
    INT,
    SMALLINT,
    STRING,
    TINYINT,
    UNKNOWN,
    array_of,
    element_of,
    entry_of,
    fields_of,
    is_integral,
    is_numeric,
    map_of,
    precision_and_scale,
    struct_of,
)
from trailbook.algebra.decimals import decimal
from trailbook.algebra.function_names import names

Rule = Callable[[Sequence[str]], str]

FIXED = {
    BOOLEAN: """
        any array_contains arrays_overlap bool_and bool_or contains endswith equal_null every exists forall has_caveat
        ilike is_valid_utf8 is_valid_variant is_variant_null isnan isnotnull isnull like luhn_check map_contains_key
        regexp regexp_like rlike some startswith xpath_boolean boolean and or not ! between in = == != <> < <= > >= <=>
    """,
    STRING: """
        array_join base64 bin btrim char chr collation concat_ws conv current_catalog current_database current_path
        current_schema current_timezone current_user date_format dayname elt format_number format_string
        from_unixtime get_json_object hex initcap input_file_name lcase lower ltrim make_valid_utf8 mask md5 monthname
        parse_url printf quote randstr regexp_extract regexp_replace regexp_substr repeat replace right rtrim
        schema_of_csv schema_of_json schema_of_xml session_user sha sha1 sha2 soundex space split_part
        string substring_index to_base32 to_char to_csv to_json to_varchar to_xml translate trim try_parse_url
        try_url_decode try_validate_utf8 typeof ucase upper url_decode url_encode user uuid validate_utf8 version
        xpath_string
    """,
    BINARY: "binary encode from_base32 to_binary try_to_binary unbase64 unhex",
    TINYINT: "bit_get getbit grouping tinyint",
    SMALLINT: "smallint xpath_short",
    INT: """
        array_size ascii bit_count bit_length cardinality char_length character_length date_diff datediff day
        dayofmonth dayofweek dayofyear dense_rank find_in_set hash hour instr int json_array_length len length
        levenshtein locate minute month ntile octet_length position quarter rank regexp_count regexp_instr row_number
        second size spark_partition_id unix_date weekday weekofyear xpath_int year
    """,
    BIGINT: """
        approx_count_distinct array_position bigint bitmap_bit_position bitmap_bucket_number bitmap_count count count_if
        crc32 div factorial grouping_id input_file_block_length input_file_block_start monotonically_increasing_id
        regr_count to_unix_timestamp unix_micros unix_millis unix_seconds unix_timestamp width_bucket xpath_long
        xxhash64
    """,
    "float": "float xpath_float",
    DOUBLE: """
        acos acosh asin asinh atan atan2 atanh cbrt corr cos cosh cot covar_pop covar_samp csc cume_dist degrees
        double e exp expm1 hypot kurtosis ln log log10 log1p log2 months_between percent_rank pi pow power radians
        rand randn random regr_intercept regr_slope rint sec sign signum sin sinh skewness sqrt std stddev stddev_pop
        stddev_samp tan tanh var_pop var_samp variance xpath_double xpath_number
    """,
    "date": """
        add_months curdate current_date date date_add date_from_unix_date date_sub last_day make_date next_day to_date
        trunc try_to_date
    """,
    "timestamp": """
        current_timestamp date_trunc from_utc_timestamp make_timestamp make_timestamp_ltz now timestamp timestamp_micros
        timestamp_millis timestamp_seconds to_timestamp to_timestamp_ltz to_utc_timestamp try_make_timestamp
        try_make_timestamp_ltz try_to_timestamp
    """,
    "timestamp_ntz": "localtimestamp make_timestamp_ntz to_timestamp_ntz try_make_timestamp_ntz",
    "interval day to second": "make_dt_interval",
    "interval year to month": "make_ym_interval",
    "array<string>": "json_object_keys regexp_extract_all split xpath",
    "array<array<string>>": "sentences",
    "map<string,string>": "str_to_map",
    "variant": "parse_json try_parse_json to_variant_object",
}

FIRST = names(
    """
    any_value array_compact array_distinct array_remove array_sort caveat caveat_if filter first first_value lag last
    last_value lead map_filter max min mode nth_value nullif only shuffle slice sort_array
    """
)
"""The type of the first argument."""

COMMON = names("array_except array_intersect array_union coalesce greatest ifnull least map_concat nvl")
"""The type that all arguments have in common."""

OPERATORS = {
    "+": "try_add", "-": "try_subtract", "*": "try_multiply", "/": "try_divide", "%": "mod try_mod",
}  # fmt: skip


def _number(kinds: Sequence[str]) -> str:
    return kinds[0] if is_numeric(kinds[0]) else UNKNOWN


def _sum(kinds: Sequence[str]) -> str:
    if size := precision_and_scale(kinds[0]):
        return decimal(size[0] + 10, size[1])
    if is_integral(kinds[0]):
        return BIGINT
    return DOUBLE if is_numeric(kinds[0]) or kinds[0] == STRING else UNKNOWN


def _average(kinds: Sequence[str]) -> str:
    if size := precision_and_scale(kinds[0]):
        return decimal(size[0] + 4, size[1] + 4)
    return DOUBLE if is_numeric(kinds[0]) or kinds[0] == STRING else UNKNOWN


def _rounded_to_whole(kinds: Sequence[str]) -> str:
    if len(kinds) > 1:
        return UNKNOWN
    if size := precision_and_scale(kinds[0]):
        return decimal(size[0] - size[1] + 1, 0) if size[1] else kinds[0]
    return BIGINT if is_numeric(kinds[0]) else UNKNOWN


def _shifted(kinds: Sequence[str]) -> str:
    return (BIGINT if kinds[0] == BIGINT else INT) if is_integral(kinds[0]) else UNKNOWN


def _text_or_binary(kinds: Sequence[str]) -> str:
    return kinds[0] if kinds[0] in (BINARY, UNKNOWN) else STRING


def _concatenated(kinds: Sequence[str]) -> str:
    if UNKNOWN in kinds:
        return UNKNOWN
    if any(map(element_of, kinds)):
        return common_type(kinds)
    return BINARY if kinds and set(kinds) == {BINARY} else STRING


def _member(kinds: Sequence[str]) -> str:
    """Of an element of an array, or a value of a map."""
    return element_of(kinds[0]) or (entry_of(kinds[0]) or (UNKNOWN, UNKNOWN))[1]


def _map(kinds: Sequence[str]) -> str:
    return map_of(common_type(kinds[::2]), common_type(kinds[1::2]))


def _map_from_arrays(kinds: Sequence[str]) -> str:
    return map_of(element_of(kinds[0]) or UNKNOWN, element_of(kinds[1]) or UNKNOWN)


def _map_from_entries(kinds: Sequence[str]) -> str:
    fields = fields_of(element_of(kinds[0]) or UNKNOWN) or []
    return map_of(fields[0][1], fields[1][1]) if len(fields) == 2 else UNKNOWN


def _entries(kinds: Sequence[str]) -> str:
    key, value = entry_of(kinds[0]) or (UNKNOWN, UNKNOWN)
    return array_of(struct_of([("key", key), ("value", value)]))


def _extended(kinds: Sequence[str]) -> str:
    return common_type([kinds[0], array_of(kinds[1])])


def _double_of_number(kinds: Sequence[str]) -> str:
    return DOUBLE if is_numeric(kinds[0]) and not any(map(element_of, kinds)) else UNKNOWN


RULES: dict[str, Rule] = {
    **{name: lambda _, kind=kind: kind for kind, names in FIXED.items() for name in names.split()},  # type: ignore[misc]
    **dict.fromkeys(FIRST, lambda kinds: kinds[0]),
    **dict.fromkeys(COMMON, common_type),
    **{
        name: lambda kinds, operator=operator: arithmetic_type(operator, *kinds)  # type: ignore[misc]
        for operator, names in OPERATORS.items()
        for name in names.split()
    },
    **dict.fromkeys(("abs", "bit_and", "bit_or", "bit_xor", "negative", "positive"), _number),
    **dict.fromkeys(("sum", "try_sum"), _sum),
    **dict.fromkeys(("avg", "mean", "try_avg"), _average),
    **dict.fromkeys(("ceil", "ceiling", "floor"), _rounded_to_whole),
    **dict.fromkeys(("median", "percentile"), _double_of_number),
    **dict.fromkeys(("shiftleft", "shiftright", "shiftrightunsigned"), _shifted),
    **dict.fromkeys(
        ("left", "listagg", "lpad", "overlay", "rpad", "string_agg", "substr", "substring"), _text_or_binary
    ),
    **dict.fromkeys(("array_max", "array_min", "element_at", "get", "try_element_at"), _member),
    **dict.fromkeys(("array_append", "array_prepend"), _extended),
    **dict.fromkeys(("array_agg", "array_repeat", "collect_list", "collect_set"), lambda kinds: array_of(kinds[0])),
    **dict.fromkeys(("max_by", "min_by"), lambda kinds: kinds[0] if len(kinds) == 2 else UNKNOWN),
    **dict.fromkeys(("if", "nvl2"), lambda kinds: common_type(kinds[1:])),
    "array": lambda kinds: array_of(common_type(kinds)),
    "concat": _concatenated,
    "flatten": lambda kinds: element_of(kinds[0]) or UNKNOWN,
    "map": _map,
    "map_entries": _entries,
    "map_from_arrays": _map_from_arrays,
    "map_from_entries": _map_from_entries,
    "map_keys": lambda kinds: array_of((entry_of(kinds[0]) or (UNKNOWN, UNKNOWN))[0]),
    "map_values": lambda kinds: array_of((entry_of(kinds[0]) or (UNKNOWN, UNKNOWN))[1]),
    "reverse": lambda kinds: kinds[0] if element_of(kinds[0]) or kinds[0] == UNKNOWN else STRING,
}

NEVER_NULL = names(
    """
    approx_count_distinct array array_agg collect_list collect_set count count_if cume_dist current_date
    current_timestamp dense_rank e equal_null grouping grouping_id has_caveat hash isnan isnotnull isnull map
    monotonically_increasing_id named_struct now ntile percent_rank pi rand randn random rank row_number
    spark_partition_id struct typeof uuid xxhash64
    """
)

NULL_ONLY_OF_NULL = names(
    """
    array_distinct ascii atan2 base64 bit_count bit_length cardinality char_length character_length concat contains
    crc32 endswith find_in_set hypot initcap instr lcase len length lower ltrim map_entries map_keys map_values
    md5 not octet_length positive pow power replace rtrim sha sha1 shiftleft shiftright shiftrightunsigned size
    startswith substr substring substring_index translate trim ucase upper
    """
)
"""Not NULL if no argument is, and none has to be cast."""


def result_type(name: str, kinds: Sequence[str]) -> str:
    """The type of a call of the function with arguments of these types."""
    rule = RULES.get(name)
    try:
        return rule(kinds) if rule else UNKNOWN
    except (IndexError, TypeError):
        # Too few or too many arguments: Spark says so when the query runs.
        return UNKNOWN
