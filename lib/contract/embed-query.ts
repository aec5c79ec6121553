import { parameter } from './query-parameters.ts'
import { querySchema } from './query-schema.ts'

export const embedQuery = querySchema({
  theme: parameter.choice(['auto', 'light', 'dark'], 'auto', 'The theme.'),
})
