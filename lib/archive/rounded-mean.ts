import { type Expression, sql } from 'kysely'

type Quantity = Expression<number | string | null>

/**
 * A mean in ten-thousandths, rounded half away from zero: what `toMean(sum, count, 4)` shows, to be sorted by.
 * Null over nothing. `sum` is in millionths or whole.
 */
export const roundedMean = (sum: Quantity, count: Expression<number>) =>
  sql<number | null>`
    sign(${sum}) * floor(
      (2 * abs(${sum}) * 1000000 + 100 * ${count}) / (200 * nullif(${count}, 0))
    )`
