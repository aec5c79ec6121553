import { processEnv } from '#lib/server/environment/env.ts'
import { toRobots } from '#lib/server/pages/indexing.ts'
import { permitted } from '#lib/server/routes/mount.ts'

export const dynamic = 'force-dynamic'

export const GET = permitted(async () => {
  const parsed = processEnv()
  const text = toRobots(parsed.ok && parsed.env.isIndexed ? parsed.env.publicUrl : null)
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
})
