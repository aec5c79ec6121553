import * as z from 'zod/mini'
import { rating } from '#lib/contract/rating.ts'
import { envelope } from './envelope.ts'

export const postsPage = envelope(z.array(z.looseObject(rating.shape)), {})

export const openApiDocument = z.looseObject({ openapi: z.string() })

export const accepted = envelope(z.unknown(), {})
