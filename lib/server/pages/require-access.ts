import 'server-only'
import { forbidden, notFound } from 'next/navigation'
import { connection } from 'next/server'
import { selectPermission } from '#lib/access/route-permissions.ts'
import { permits } from '#lib/contract/caller.ts'
import { pathOf, selectContext } from '#lib/server/gate/request-context.ts'

/**
 * Every page calls this first. Without an identified caller, or without the permission of its
 * route, it is 403 also where the front of the server is missing.
 */
export async function requireAccess(): Promise<void> {
  await connection()
  const context = selectContext()
  if (!context) forbidden()
  const required = selectPermission(pathOf(context))
  if (required === null) notFound()
  if (required !== 'public' && !permits(context.caller.permissions, required)) forbidden()
}
