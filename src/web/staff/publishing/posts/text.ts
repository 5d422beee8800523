import { texts } from '#src/texts/index.ts'
import { fileRefusals } from '../../files/uploads/index.ts'

const words = texts.staff.posts

/** The texts of the pages of posts, in every language; `{…}` is filled in. */
export const postsText = texts.staff.posts.common

/** The sentences for refusals on the pages of posts. */
export const postRefusals = {
  ...fileRefusals,
  precondition_failed: words.postRefusals.precondition_failed,
  invalid_body: words.postRefusals.invalid_body,
  invalid_state: words.postRefusals.invalid_state,
  slug_taken: words.postRefusals.slug_taken,
  post_external_id_taken: words.postRefusals.post_external_id_taken,
  post_already_mailed: words.postRefusals.post_already_mailed,
  post_category_in_use: words.postRefusals.post_category_in_use,
  too_many_post_categories: words.postRefusals.too_many_post_categories,
  idempotency_key_reused: words.postRefusals.idempotency_key_reused,
} as const
