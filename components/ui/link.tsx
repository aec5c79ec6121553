'use client'

import NextLink from 'next/link'
import { type ComponentProps, useState } from 'react'

type LinkProps = Omit<ComponentProps<typeof NextLink>, 'prefetch'>

export const Link = (props: LinkProps) => <NextLink prefetch={false} {...props} />

/** For pages with a skeleton: loads it when the pointer, a finger or the focus comes. */
export function PreparedLink(props: Omit<LinkProps, 'onPointerEnter' | 'onFocus'>) {
  const [isNear, setNear] = useState(false)
  const prepare = () => setNear(true)
  return (
    <NextLink
      {...props}
      prefetch={isNear ? null : false}
      onPointerEnter={prepare}
      onFocus={prepare}
    />
  )
}
