import type { ReactNode } from 'react'
import { SiteFrame } from '../site-frame.tsx'

/** The pages of the dashboard; what other sites embed stands beside this folder, in `app/embed`. */
export default function SiteLayout({ children }: { children: ReactNode }) {
  return <SiteFrame>{children}</SiteFrame>
}
