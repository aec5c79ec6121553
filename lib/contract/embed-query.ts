import { parameter } from './query-parameters.ts'
import { querySchema } from './query-schema.ts'

/** What every embed takes besides the parameters of its chart. `auto` is the reader's own theme. */
export const embedQuery = querySchema({
  theme: parameter.choice(['auto', 'light', 'dark'], 'auto', 'The theme.'),
  asof: parameter.asof(),
})
