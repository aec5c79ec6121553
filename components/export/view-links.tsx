'use client'

import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { useMay, useSignsIn } from '#components/permissions/use-may.tsx'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { CopyButton, CopyLink } from '#components/ui/copy.tsx'
import { DotsIcon } from '#components/ui/icons.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { withBase } from '#lib/contract/base-path.ts'
import { toAlertHref, type ViewLinks } from '#lib/contract/page-addresses.ts'

/** In the browser only. `children` end the first line. */
export function ViewLinkRows({ feed, alert, children }: ViewLinks & { children?: ReactNode }) {
  const mayFollow = useMay('feed')
  const mayManage = useMay('manage')
  const path = usePathname() ?? '/'
  return (
    <div className="flex flex-col gap-2">
      <div className="-mx-2 flex flex-wrap items-center gap-1">
        <CopyLink href={path + window.location.search} />
        {alert && mayManage && (
          <ButtonLink href={toAlertHref(alert)} size="small" variant="quiet">
            Alert me…
          </ButtonLink>
        )}
        {children}
      </div>
      {feed && mayFollow && <FeedLines {...feed} />}
    </div>
  )
}

function FeedLines({ what, path }: NonNullable<ViewLinks['feed']>) {
  const signsIn = useSignsIn()
  const address = window.location.origin + withBase(path)
  return (
    <details>
      <summary className="cursor-pointer font-medium text-ink-2 hover:text-ink">
        Follow in a feed reader
      </summary>
      <p className="pt-2 text-sm text-ink-3">{what}. Copy the address into a feed reader.</p>
      <div className="flex items-center gap-1 pt-3">
        <span className="field-label grow">Atom</span>
        <CopyButton text={address} what="feed address" />
        <a className="link text-sm" href={`feed:${address}`}>
          Open in a reader
        </a>
      </div>
      <p className="pt-1 font-mono text-sm wrap-anywhere select-all">{address}</p>
      <p className="pt-2 text-sm text-ink-3">
        {signsIn &&
          'A feed reader cannot sign in: create a token with permission to read feeds, and add it to the address as “link”. '}
        <a className="link" href={withBase('/docs/alerts#feeds')}>
          How feeds work
        </a>
      </p>
    </details>
  )
}

/** For views without an export. */
export const ViewMenu = (links: ViewLinks) => (
  <Popover
    label="This view"
    className="w-85 p-4"
    trigger={
      <Button aria-label="More for this view">
        <DotsIcon />
      </Button>
    }
  >
    <ViewLinkRows {...links} />
  </Popover>
)
