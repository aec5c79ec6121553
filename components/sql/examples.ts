import type { SqlQuery } from '#lib/contract/page-addresses.ts'

export type Example = {
  title: string
  query: string
  chart?: Pick<SqlQuery, 'chart' | 'x' | 'y'>
  needsPrices?: true
}

export const EXAMPLES: readonly Example[] = [
  {
    title: 'Which users were early',
    query: `-- Who took a side on a symbol before most others who took it?
WITH firsts AS (
  SELECT user_id, symbol, rating > 3 AS is_buy, min(created_at) AS first_at
  FROM ratings
  WHERE rating <> 3
  GROUP BY ALL
), placed AS (
  SELECT *,
    percent_rank() OVER side AS place,
    count(*) OVER (PARTITION BY symbol, is_buy) AS users
  FROM firsts
  WINDOW side AS (PARTITION BY symbol, is_buy ORDER BY first_at)
)
SELECT user_id,
  count(*) AS sides,
  count(*) FILTER (place < 0.1) AS in_first_tenth,
  round(avg(place), 3) AS average_place
FROM placed
WHERE users >= 20
GROUP BY user_id
HAVING sides >= 10
ORDER BY average_place`,
  },
  {
    title: 'Agreement by hour',
    query: `-- At which hour (UTC) do posts find agreement?
SELECT hour(created_at) AS hour,
  count(*) AS ratings,
  sum(tally_agree) AS agree,
  sum(tally_disagree) AS disagree,
  round(100 * sum(tally_agree) / nullif(sum(tally_agree + tally_disagree), 0), 2) AS agree_percent
FROM ratings
GROUP BY hour
ORDER BY hour`,
    chart: { chart: 'bar', x: 'hour', y: 'agree_percent' },
  },
  {
    title: 'Ratings per month',
    query: `SELECT date_trunc('month', created_at) AS month,
  count(*) AS ratings,
  count(DISTINCT user_id) AS users,
  round(avg(rating), 3) AS average_rating
FROM ratings
GROUP BY month
ORDER BY month`,
    chart: { chart: 'line', x: 'month', y: 'ratings' },
  },
  {
    title: 'Most divided symbols',
    query: `-- Active ratings that disagree most
SELECT symbol,
  count(*) AS active,
  round(stddev(rating), 3) AS spread,
  count(*) FILTER (rating > 3) AS buys,
  count(*) FILTER (rating < 3) AS sells
FROM ratings
WHERE ended_at IS NULL OR ended_at > (SELECT as_of FROM about)
GROUP BY symbol
HAVING active >= 10
ORDER BY spread DESC`,
    chart: { chart: 'scatter', x: 'active', y: 'spread' },
  },
  {
    title: 'Who changes their mind',
    query: `SELECT user_id,
  count(*) AS repeated,
  count(*) FILTER (rating <> previous_rating) AS changed,
  round(100 * changed / repeated, 1) AS changed_percent
FROM ratings
WHERE previous_rating IS NOT NULL
GROUP BY user_id
HAVING repeated >= 10
ORDER BY changed_percent DESC`,
  },
  {
    title: 'Where opinion and price part',
    needsPrices: true,
    query: `-- Symbols that users like while the price falls, or the reverse
WITH latest AS (
  SELECT symbol, max(day) AS day, arg_max(close, day) AS close
  FROM prices
  GROUP BY symbol
), earlier AS (
  SELECT symbol, arg_max(prices.close, prices.day) AS close
  FROM prices JOIN latest USING (symbol)
  WHERE prices.day <= latest.day - 90
  GROUP BY symbol
)
SELECT symbol, active, consensus, change_30d,
  round(100 * (latest.close / earlier.close - 1), 1) AS price_percent_90d
FROM symbols JOIN latest USING (symbol) JOIN earlier USING (symbol)
WHERE active >= 5
  AND (consensus > 3 AND price_percent_90d < 0 OR consensus < 3 AND price_percent_90d > 0)
ORDER BY abs((consensus - 3) * price_percent_90d) DESC`,
    chart: { chart: 'scatter', x: 'consensus', y: 'price_percent_90d' },
  },
  {
    title: 'Do bold predictions come true',
    needsPrices: true,
    query: `-- Ten groups by prediction: what was predicted, what came in 90 days
WITH grouped AS (
  SELECT prediction, 100 * "return" AS came, ntile(10) OVER (ORDER BY prediction) AS tenth
  FROM calls
  WHERE "return" IS NOT NULL
)
SELECT tenth, count(*) AS calls,
  round(avg(prediction), 2) AS predicted_percent,
  round(avg(came), 2) AS came_percent
FROM grouped
GROUP BY tenth
ORDER BY tenth`,
    chart: { chart: 'scatter', x: 'predicted_percent', y: 'came_percent' },
  },
]
