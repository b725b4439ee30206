import { SQLDialect } from "@codemirror/lang-sql";

const KEYWORDS = `
  all and anti any array as asc between both by case cast cluster collate cross cube current_date current_timestamp
  desc distinct distribute else end escape except exists explode false filter first following for from full group
  grouping having if ilike in inner intersect interval is join last lateral left like limit minus natural not null
  nulls offset on or order outer over partition percent pivot preceding qualify range regexp right rlike rollup row
  rows select semi sets some sort struct table tablesample then to true try_cast unbounded union unpivot using values
  view when where window with within
`;

const TYPES = `
  bigint binary boolean byte date decimal double float int integer long map numeric real short smallint string
  timestamp timestamp_ntz tinyint varchar void
`;

const FUNCTIONS = `
  abs approx_count_distinct array_agg array_contains array_join avg bround ceil coalesce collect_list collect_set
  concat concat_ws corr count count_if current_date date_add date_diff date_format date_sub date_trunc day dayofweek
  dense_rank element_at exp explode filter first first_value floor format_number from_json from_unixtime get_json_object
  greatest hash hour ifnull initcap instr isnotnull isnull lag last last_day last_value lead least length levenshtein
  locate log lower lpad ltrim make_date max max_by md5 median min min_by minute mode month named_struct ntile nullif nvl
  percent_rank percentile percentile_approx posexplode pow quarter rank regexp_extract regexp_replace repeat replace
  reverse round row_number rpad rtrim second sequence sha2 sign size skewness sort_array soundex split sqrt stddev
  substr substring substring_index sum to_date to_json to_timestamp transform translate trim try_add try_avg try_cast
  try_divide try_sum try_to_number try_to_timestamp unix_timestamp upper uuid var_pop variance weekofyear year zip_with
`;

/** Spark SQL as far as colours and completion need it. */
export const sparkSql = SQLDialect.define({
  keywords: words(KEYWORDS),
  types: words(TYPES),
  builtin: words(FUNCTIONS),
  identifierQuotes: "`",
  doubleQuotedStrings: true,
  backslashEscapes: true,
  hashComments: false,
});

/** The dialect wants its words parted by single spaces. */
function words(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
