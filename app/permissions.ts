import { processEnv } from '#lib/server/environment/env.ts'
import { selectContext } from '#lib/server/gate/request-context.ts'

export function readPermissions() {
  const parsed = processEnv()
  const signsIn = parsed.ok && parsed.env.access.mode !== 'open'
  return { may: selectContext()?.caller.permissions ?? [], signsIn }
}
