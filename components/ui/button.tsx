import Link from 'next/link'
import type { ComponentProps, MouseEvent } from 'react'
import { withBase } from '#lib/contract/base-path.ts'
import { classNames } from './class-names.ts'

export type ButtonStyle = {
  /** `solid` for the one thing a screen is for, `outline` for the others, `quiet` within text and toolbars. */
  variant?: 'solid' | 'outline' | 'quiet'
  /** `small` is 26 px high, `regular` 31 px, `large` 36 px. */
  size?: 'small' | 'regular' | 'large'
}

/** The classes of a button, for elements that must be something else (`summary`, a label). */
export const buttonClasses = (
  { variant = 'outline', size = 'regular' }: ButtonStyle,
  className?: string,
) => classNames(`button button-${variant} button-${size}`, className)

/** A native button; `type` is `button` unless told. */
export function Button({
  variant,
  size,
  className,
  type = 'button',
  ...rest
}: ButtonStyle & ComponentProps<'button'>) {
  return <button type={type} className={buttonClasses({ variant, size }, className)} {...rest} />
}

/** A link that looks like a button. With `download` it is a plain link that the browser follows itself. */
export function ButtonLink({
  variant,
  size,
  className,
  href,
  download,
  ...rest
}: ButtonStyle & Omit<ComponentProps<'a'>, 'href'> & { href: string }) {
  const classes = buttonClasses({ variant, size }, className)
  if (download !== undefined && download !== false) {
    return <a href={withBase(href)} download={download} className={classes} {...rest} />
  }
  return <Link href={href} className={classes} {...rest} />
}

/** A click that asks for this page to change; with another button or a modifier key it opens the link elsewhere. */
export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
