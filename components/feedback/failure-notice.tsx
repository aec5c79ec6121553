'use client'

import { usePathname } from 'next/navigation'
import { useEffect, useEffectEvent } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { ApiError } from '#lib/client/api-error.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { withNext } from '#lib/contract/path-part.ts'

type FailureNoticeProps = {
  what: string
  error: unknown
  onRetry: () => void
  kept?: string
  className?: string
}

export function FailureNotice({ what, error, onRetry, kept, className }: FailureNoticeProps) {
  const known = error instanceof ApiError ? error : null
  const wait = known?.retryAfterSeconds ?? null
  useRetryAfter(error, wait, onRetry)
  return (
    <Notice
      tone="failure"
      title={`${what} could not be loaded`}
      action={
        known?.type === 'unauthorized' ? (
          <SignInAgain />
        ) : (
          <Button onClick={onRetry}>Try again</Button>
        )
      }
      className={className}
    >
      {known?.message ?? 'Something went wrong on our side.'}
      {wait !== null && ` Retrying in ${wait} s.`} {kept}
    </Notice>
  )
}

function SignInAgain() {
  const path = usePathname() ?? '/'
  const goIn = () =>
    window.location.assign(withBase(withNext('/sign-in', path + window.location.search)))
  return <Button onClick={goIn}>Sign in again</Button>
}

const WAIT_MAX_SECONDS = 3600

/** Waits for the requested delay, and for the tab to be visible. */
function useRetryAfter(error: unknown, wait: number | null, onRetry: () => void) {
  const retry = useEffectEvent(onRetry)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure waits anew
  useEffect(() => {
    if (wait === null || wait > WAIT_MAX_SECONDS) return
    const whenSeen = () => {
      if (!document.hidden) retry()
      else document.addEventListener('visibilitychange', whenSeen, { once: true })
    }
    const timer = setTimeout(whenSeen, Math.max(1, wait) * 1000)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', whenSeen)
    }
  }, [error, wait])
}
