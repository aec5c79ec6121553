import { PostgreSQL, SQLDialect } from '@codemirror/lang-sql'

/** What DuckDB has beyond PostgreSQL. */
const KEYWORDS =
  'anti asof exclude glob ilike macro pivot positional qualify replace semi summarize try_cast unpivot'
const TYPES =
  'hugeint tinyint utinyint usmallint uinteger ubigint uhugeint varchar blob double struct map list'

/** Name, arguments, meaning. */
const FUNCTIONS: readonly (readonly [name: string, takes: string, meaning: string])[] = [
  ['count', '(value)', 'rows, or values that are not NULL'],
  ['sum', '(value)', 'sum'],
  ['avg', '(value)', 'mean'],
  ['min', '(value)', 'smallest value'],
  ['max', '(value)', 'largest value'],
  ['median', '(value)', 'middle value'],
  ['mode', '(value)', 'most frequent value'],
  ['quantile_cont', '(value, share)', 'interpolated quantile'],
  ['stddev', '(value)', 'standard deviation'],
  ['corr', '(y, x)', 'correlation'],
  ['regr_slope', '(y, x)', 'slope of the regression line'],
  ['arg_max', '(value, by)', 'value where “by” is largest'],
  ['arg_min', '(value, by)', 'value where “by” is smallest'],
  ['bool_and', '(value)', 'true if all are true'],
  ['bool_or', '(value)', 'true if any is true'],
  ['string_agg', '(value, separator)', 'texts joined'],
  ['list', '(value)', 'list of the values'],
  ['approx_count_distinct', '(value)', 'distinct values, estimated'],
  ['histogram', '(value)', 'counts per value'],
  ['row_number', '() OVER (…)', 'number of the row in its window'],
  ['rank', '() OVER (…)', 'rank in the window, with gaps'],
  ['dense_rank', '() OVER (…)', 'rank in the window'],
  ['ntile', '(parts) OVER (…)', 'part of the window'],
  ['lag', '(value) OVER (…)', 'value of the previous row'],
  ['lead', '(value) OVER (…)', 'value of the next row'],
  ['first_value', '(value) OVER (…)', 'first value in the window'],
  ['last_value', '(value) OVER (…)', 'last value in the window'],
  ['coalesce', '(value, …)', 'first value that is not NULL'],
  ['nullif', '(a, b)', 'NULL if equal'],
  ['greatest', '(value, …)', 'largest argument'],
  ['least', '(value, …)', 'smallest argument'],
  ['round', '(value, digits)', 'rounded'],
  ['floor', '(value)', 'next lower whole number'],
  ['ceil', '(value)', 'next higher whole number'],
  ['abs', '(value)', 'without its sign'],
  ['sign', '(value)', '−1, 0 or 1'],
  ['sqrt', '(value)', 'square root'],
  ['ln', '(value)', 'natural logarithm'],
  ['date_trunc', "('month', time)", 'start of the period'],
  ['date_part', "('hour', time)", 'part of a time'],
  ['date_diff', "('day', from, to)", 'boundaries between two times'],
  ['time_bucket', '(width, time)', 'start of the bucket'],
  ['strftime', "(time, '%Y-%m')", 'time as text'],
  ['dayname', '(time)', 'name of the weekday'],
  ['hour', '(time)', 'hour, 0 to 23'],
  ['year', '(time)', 'year'],
  ['month', '(time)', 'month, 1 to 12'],
  ['epoch', '(time)', 'seconds since 1970'],
  ['now', '()', 'the current time'],
  ['length', '(text)', 'characters'],
  ['lower', '(text)', 'in lower case'],
  ['upper', '(text)', 'in upper case'],
  ['starts_with', '(text, start)', 'true if it begins so'],
  ['contains', '(text, part)', 'true if it contains the part'],
  ['regexp_matches', '(text, pattern)', 'true if the pattern matches'],
  ['concat', '(text, …)', 'texts joined'],
  ['unnest', '(list)', 'a row per element'],
  ['range', '(from, to)', 'whole numbers'],
  ['generate_series', '(from, to, step)', 'values with both ends'],
]

export const COMPLETED_FUNCTIONS = FUNCTIONS.map(([label, detail, info]) => ({
  label,
  detail,
  info,
  type: 'function',
  apply: `${label}(`,
}))

export const DUCKDB = SQLDialect.define({
  ...PostgreSQL.spec,
  keywords: `${PostgreSQL.spec.keywords ?? ''} ${KEYWORDS}`,
  types: `${PostgreSQL.spec.types ?? ''} ${TYPES}`,
  caseInsensitiveIdentifiers: true,
  doubleDollarQuotedStrings: true,
})
