'use client'

import { Button, ButtonLink } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'

export default function PageFailure({ retry }: { error: unknown; retry: () => void }) {
  return (
    <PageBody className="max-w-[720px]">
      <h1 className="text-xl">This page could not be shown</h1>
      <Notice
        tone="failure"
        title="Something went wrong on our side"
        action={
          <span className="flex gap-2">
            <Button onClick={retry}>Try again</Button>
            <ButtonLink href="/status" variant="quiet">
              Status
            </ButtonLink>
          </span>
        }
      >
        The archive is untouched, and the other pages still work.
      </Notice>
    </PageBody>
  )
}
