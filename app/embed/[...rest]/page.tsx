import { notFound } from 'next/navigation'
import { requireAccess } from '#lib/server/pages/require-access.ts'

/** Anything under `/embed` may be framed and must not reach the site layout. */
export default async function NoEmbed() {
  await requireAccess()
  notFound()
}
