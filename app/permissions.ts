import { processEnv } from '#lib/server/environment/env.ts'
import { selectContext } from '#lib/server/gate/request-context.ts'

/** False where a proxy signs people in, and where nobody signs in. */
export function hasSignInPage(): boolean {
  const parsed = processEnv()
  return parsed.ok && (parsed.env.access.mode === 'password' || parsed.env.access.mode === 'oidc')
}

export function readPermissions() {
  const parsed = processEnv()
  const signsIn = parsed.ok && parsed.env.access.mode !== 'open'
  return { may: selectContext()?.caller.permissions ?? [], signsIn }
}
