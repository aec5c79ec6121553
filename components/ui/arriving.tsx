import { type ReactNode, Suspense, useState } from 'react'
import { useInBrowser } from './use-browser.ts'

type ArrivingProps = { skeleton: ReactNode; children: ReactNode }

/** Without a boundary in the first document, which would show its part by a script. */
export function Arriving({ skeleton, children }: ArrivingProps) {
  const isInBrowser = useInBrowser()
  const [isClicked] = useState(isInBrowser)
  return isClicked ? <Suspense fallback={skeleton}>{children}</Suspense> : children
}
