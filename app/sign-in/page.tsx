import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { SignInScreen } from '#components/access/sign-in-screen.tsx'
import { toUrlParams } from '#lib/contract/page-addresses.ts'
import { processEnv } from '#lib/server/environment/env.ts'
import { toLocalAddress } from '#lib/server/gate/request-policy.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { hasSignInPage, readPermissions } from '../permissions.ts'

export const metadata: Metadata = { title: 'Sign in' }

type SignInPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function SignInPage({ searchParams }: SignInPageProps) {
  await requireAccess()
  if (!hasSignInPage()) notFound()
  const parsed = processEnv()
  const params = toUrlParams(await searchParams)
  return (
    <SignInScreen
      next={toLocalAddress(params.get('next'))}
      why={params.get('why')}
      provider={(parsed.ok ? parsed.env.access.oidc?.issuer.host : null) ?? null}
      isSignedOut={readPermissions().may.length === 0}
    />
  )
}
