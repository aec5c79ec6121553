import * as z from 'zod/mini'
import { rating } from '#lib/contract/rating.ts'
import { envelope } from './envelope.ts'

/** `GET /api/v1/posts`: a page as the service gave it. */
export const postsPage = envelope(z.array(z.looseObject(rating.shape)), {})

/** `GET /api/alerts/schema.json`: a JSON Schema. */
export const titledDocument = z.looseObject({ title: z.string() })

/** `GET /api/openapi.json`. */
export const openApiDocument = z.looseObject({ openapi: z.string() })

/** A command that was accepted; its data are not read. */
export const accepted = envelope(z.unknown(), {})
