type Box = Pick<DOMRect, 'left' | 'top' | 'bottom' | 'width' | 'height'>
type Size = { width: number; height: number }

const MARGIN_PX = 8
const GAP_PX = 4

/** Where a card stands for what it is about, in pixels of the window: below it, else above, and always in sight. */
export function toCardPlace(about: Box, card: Size, sight: Size): { left: number; top: number } {
  const below = about.bottom + GAP_PX
  const above = about.top - GAP_PX - card.height
  const fitsBelow = below + card.height <= sight.height - MARGIN_PX
  const top = fitsBelow || above < MARGIN_PX ? below : above
  return {
    left: within(about.left, sight.width - card.width - MARGIN_PX),
    top: within(top, sight.height - card.height - MARGIN_PX),
  }
}

/** Is any of it in sight? */
export const isInSight = ({ top, bottom }: Pick<DOMRect, 'top' | 'bottom'>, height: number) =>
  bottom > 0 && top < height

const within = (place: number, most: number) => Math.max(MARGIN_PX, Math.min(place, most))
