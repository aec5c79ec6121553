import { respondHealth } from '#lib/api/status.ts'
import { answerProbe, toHandlers } from '#lib/server/mount.ts'

export const dynamic = 'force-dynamic'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toHandlers(
  respondHealth,
  answerProbe,
)
