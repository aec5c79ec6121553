import * as z from 'zod/mini'
import { ANSWERED_BUCKETS } from '#lib/contract/api-queries.ts'
import { decimal, envelope, meta, seconds } from './envelope.ts'

const day = z.string()

/** `spike`: a close that is not used; `jump`: calls across it do not count. */
const priceFlag = z.object({ date: day, factor: decimal, kind: z.enum(['spike', 'jump']) })

/** 6 places. */
const priceSeries = z.object({
  symbol: z.string(),
  bucket: z.enum(ANSWERED_BUCKETS),
  prices: z.int(),
  points: z.array(z.object({ t: seconds, date: day, close: decimal })),
  flags: z.array(priceFlag),
})
export type PriceSeries = z.infer<typeof priceSeries>

export const pricesAnswer = envelope(priceSeries, { meta })
