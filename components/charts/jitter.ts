/**
 * How far a single rating is moved off its line so that those posted at one time do not hide each other: from −1 to 1,
 * always the same for an id, and unlike for ids that follow one another.
 */
export function toJitter(id: number): number {
  const mixed = Math.imul(id ^ (id >>> 15), 0x2c1b3c6d)
  const spread = (mixed ^ (mixed >>> 13)) >>> 0
  return (spread / 0xffffffff) * 2 - 1
}
