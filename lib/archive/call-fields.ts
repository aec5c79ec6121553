/** What is read of a rating that stands among the member's others. */
export const CALL_FIELDS = [
  'id',
  'created_at',
  'rating',
  'rating_label',
  'action',
  'action_label',
  'prediction',
  'expired_at',
  'effective_until',
] as const
