import { readFileSync } from 'node:fs'

export const dynamic = 'force-dynamic'

let body: Buffer<ArrayBuffer> | null = null

export function GET() {
  body ??= readFileSync(/* turbopackIgnore: true */ process.env.FLOOR_BYTES ?? '')
  return new Response(body, { headers: { 'content-type': 'application/json; charset=utf-8' } })
}
