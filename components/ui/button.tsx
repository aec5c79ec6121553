import type { ComponentProps, MouseEvent } from 'react'
import { withBase } from '#lib/contract/base-path.ts'
import { classNames } from './class-names.ts'
import { Link } from './link.tsx'

export type ButtonStyle = {
  /** `solid` is a screen's primary action. */
  variant?: 'solid' | 'outline' | 'quiet'
  size?: 'small' | 'regular' | 'large'
}

export const buttonClasses = (
  { variant = 'outline', size = 'regular' }: ButtonStyle,
  className?: string,
) => classNames(`button button-${variant} button-${size}`, className)

export function Button({
  variant,
  size,
  className,
  type = 'button',
  ...rest
}: ButtonStyle & ComponentProps<'button'>) {
  return <button type={type} className={buttonClasses({ variant, size }, className)} {...rest} />
}

/** With `download` it is a plain `<a>`. */
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

export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
