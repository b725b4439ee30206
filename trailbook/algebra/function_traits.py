"""Spark's functions by trait: a table of names for each. `Function` says what the traits mean.

`TAKES` says for which arguments a function can never raise, a letter for each argument:

    s  anything that has a text: numbers, dates, booleans, binary, too
    n  a number; of these
    i      no decimal
    f      a float or a double
    x      neither of them
    g      an integer
    w      an integer that is no bigint
    b  a boolean
    t  a date or a timestamp
    m  a timestamp
    c  an array, a map or a struct
    *  anything
    =  whatever goes with the other arguments without a cast that could fail

A `+` lets the letter before it stand for further arguments.
"""

from __future__ import annotations

from trailbook.algebra.function_names import names

AGGREGATES = names(
    """
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
    """
)

WINDOWS = names("counter_diff cume_dist dense_rank lag lead nth_value ntile percent_rank rank row_number")

GENERATORS = names(
    """
    explode explode_outer inline inline_outer json_tuple posexplode posexplode_outer stack variant_explode
    variant_explode_outer
    """
)

TABLES = names("collations python_worker_logs range session_window sql_keywords window")

UNREPEATABLE = names(
    """
    aes_encrypt curdate current_catalog current_database current_date current_path current_schema current_time
    current_timestamp current_timezone current_user input_file_block_length input_file_block_start input_file_name
    java_method localtime localtimestamp monotonically_increasing_id now python_worker_logs rand randn random randstr
    reflect session_user shuffle spark_partition_id try_reflect uniform user uuid version
    """
)

ORDER_DEPENDENT = names(
    """
    any_value approx_percentile approx_top_k approx_top_k_accumulate approx_top_k_combine array_agg collect_list
    collect_set collect_union counter_diff first first_value histogram_numeric hll_sketch_agg hll_union_agg
    kll_merge_agg_bigint kll_merge_agg_double kll_merge_agg_float kll_sketch_agg_bigint kll_sketch_agg_double
    kll_sketch_agg_float lag last last_value lead listagg max_by min_by mode nth_value ntile percentile_approx
    row_number schema_of_variant_agg string_agg theta_intersection_agg theta_sketch_agg theta_union_agg
    tuple_intersection_agg_double tuple_intersection_agg_integer tuple_sketch_agg_double tuple_sketch_agg_integer
    tuple_union_agg_double tuple_union_agg_integer
    """
)

STRICT = names(
    """
    ! != % & * + - / < << <= <> = == > >= >> >>> ^ abs acos acosh add_months aes_decrypt aes_encrypt array_compact
    array_contains array_distinct array_except array_intersect array_join array_max array_min array_position
    array_remove array_size array_sort array_union arrays_overlap arrays_zip ascii asin asinh atan atan2 atanh base64
    bigint bin binary bit_count bit_get bit_length bitmap_bit_position bitmap_bucket_number boolean bround btrim
    cardinality cbrt ceil ceiling char char_length character_length chr concat contains conv convert_timezone cos cosh
    cot crc32 csc date date_add date_diff date_format date_from_unix_date date_part date_sub date_trunc dateadd
    datediff datepart day dayname dayofmonth dayofweek dayofyear decimal degrees div double element_at encode endswith
    exists exp expm1 extract factorial filter find_in_set flatten float floor forall format_number from_base32
    from_csv from_json from_unixtime from_utc_timestamp from_xml get get_json_object getbit hex hmac hour hypot ilike
    initcap instr int is_valid_utf8 is_valid_variant jaro_winkler_similarity json_array_length json_object_keys
    last_day lcase left len length like ln log log10 log1p log2 lower lpad ltrim luhn_check make_date make_dt_interval
    make_interval make_timestamp make_timestamp_ltz make_timestamp_ntz make_valid_utf8 make_ym_interval map_concat
    map_contains_key map_entries map_filter map_from_arrays map_from_entries map_keys map_values map_zip_with md5
    minute mod month monthname months_between negative next_day not nullifzero octet_length overlay parse_json
    parse_url pmod positive pow power quarter quote radians regexp regexp_count regexp_extract regexp_extract_all
    regexp_instr regexp_like regexp_replace regexp_substr repeat replace reverse right rint rlike round rpad rtrim
    schema_of_variant sec second sequence sha sha1 sha2 shiftleft shiftright shiftrightunsigned sign signum sin sinh
    size slice smallint sort_array soundex space split split_part sqrt startswith str_to_map string substr substring
    substring_index tan tanh timestamp timestamp_micros timestamp_millis timestamp_seconds tinyint to_base32 to_binary
    to_char to_csv to_date to_json to_number to_timestamp to_timestamp_ltz to_timestamp_ntz to_unix_timestamp
    to_utc_timestamp to_varchar to_variant_object to_xml transform transform_keys transform_values translate trim
    trunc try_add try_aes_decrypt try_divide try_element_at try_make_interval try_make_timestamp
    try_make_timestamp_ltz try_make_timestamp_ntz try_mod try_multiply try_parse_json try_parse_url try_subtract
    try_to_binary try_to_date try_to_number try_to_timestamp try_url_decode try_validate_utf8 ucase unbase64 unhex
    unix_date unix_micros unix_millis unix_seconds unix_timestamp upper url_decode url_encode validate_utf8 weekday
    weekofyear width_bucket xpath xpath_boolean xpath_double xpath_float xpath_int xpath_long xpath_number xpath_short
    xpath_string year zip_with | || ~
    """
)

TAKES = {
    "": """
        cume_dist current_date current_timestamp dense_rank e grouping_id now percent_rank pi rand randn rank row_number
        uuid
    """,
    "s": """
        ascii base64 bit_length char_length character_length crc32 initcap is_valid_utf8 lcase len length lower
        luhn_check make_valid_utf8 md5 octet_length quote reverse sha sha1 soundex to_base32 ucase upper
    """,
    "ss": "btrim contains endswith find_in_set instr ltrim rtrim startswith trim",
    "s+": "concat concat_ws",
    "sw": "left right",
    "sww": "substr substring",
    "ssw": "levenshtein locate position substring_index",
    "sss": "replace translate",
    "n": """
        acos acosh asin asinh atan atanh cbrt cos cosh cot csc degrees exp expm1 isnan kurtosis ln
        log10 log1p log2 median positive radians rint sec sign signum sin sinh skewness sqrt std stddev stddev_pop
        stddev_samp tan tanh try_avg try_sum var_pop var_samp variance
    """,
    "nn": """
        atan2 corr covar_pop covar_samp hypot log nanvl pow power regr_count regr_intercept regr_r2
        regr_slope regr_sxx regr_sxy regr_syy try_add try_divide try_mod try_multiply try_subtract
    """,
    "w": "ntile",
    "g": "bit_and bit_count bit_or bit_xor",
    "gw": "shiftleft shiftright shiftrightunsigned",
    "i": "avg mean",
    "ii": "regr_avgx regr_avgy",
    "f": "abs negative sum",
    "x": "ceil ceiling floor",
    "fw": "bround round",
    "b": "! any bool_and bool_or count_if every not some",
    "t": """
        date day dayname dayofmonth dayofweek dayofyear last_day month monthname quarter unix_date weekday weekofyear
        year
    """,
    "m": "hour minute second unix_micros unix_millis unix_seconds",
    "tt": "date_diff datediff",
    "sm": "date_trunc",
    "ts": "trunc",
    "c": """
        array_compact array_distinct array_max array_min array_size cardinality map_entries map_keys map_values size
    """,
    "cw": "get",
    "*": "array_agg collect_list collect_set has_caveat isnotnull isnull max min mode typeof",
    "*b": "any_value first first_value last last_value",
    "*w": "nth_value",
    "*w*": "lag lead",
    "*n": "approx_count_distinct",
    "**": "max_by min_by",
    "*+": "caveat caveat_if count hash named_struct struct xxhash64",
    "=+": """
        array array_except array_intersect array_union arrays_overlap coalesce equal_null greatest ifnull least nullif
        nvl
    """,
}

FORGIVING = {
    "aes_decrypt": "try_aes_decrypt",
    "element_at": "try_element_at",
    "make_interval": "try_make_interval",
    "make_timestamp": "try_make_timestamp",
    "make_timestamp_ltz": "try_make_timestamp_ltz",
    "make_timestamp_ntz": "try_make_timestamp_ntz",
    "mod": "try_mod",
    "parse_json": "try_parse_json",
    "parse_url": "try_parse_url",
    "to_binary": "try_to_binary",
    "to_date": "try_to_date",
    "to_number": "try_to_number",
    "to_time": "try_to_time",
    "to_timestamp": "try_to_timestamp",
    "to_timestamp_ltz": "try_to_timestamp",
    "url_decode": "try_url_decode",
    "validate_utf8": "try_validate_utf8",
    "variant_get": "try_variant_get",
}
