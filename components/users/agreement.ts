/** Agreement as a share of the votes received: `'81%'`, rounded half up, exactly; null where nobody voted. */
export function toAgreementText(agree: number, disagree: number): string | null {
  const votes = agree + disagree
  if (votes === 0) return null
  return `${Math.floor((200 * agree + votes) / (2 * votes))}%`
}
