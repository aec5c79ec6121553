'use client'

import { Button, ButtonLink } from '#components/ui/button.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'

/** In the bundle of every page: uses only what the header loads anyway. */
export default function PageFailure({ retry }: { error: unknown; retry: () => void }) {
  return (
    <PageBody className="max-w-[720px]">
      <h1 className="text-xl">This page could not be shown</h1>
      <p role="alert">
        Something went wrong on our side. The archive is untouched, and the other pages still work.
      </p>
      <span className="flex gap-2">
        <Button onClick={retry}>Try again</Button>
        <ButtonLink href="/status" variant="quiet">
          Status
        </ButtonLink>
      </span>
    </PageBody>
  )
}
