import { readFileSync } from 'node:fs'

export const dynamic = 'force-dynamic'

const body = readFileSync(process.env.FLOOR_BYTES ?? '')

/** The least that a route handler can do: bytes that stand ready. */
export const GET = () =>
  new Response(body, { headers: { 'content-type': 'application/json; charset=utf-8' } })
