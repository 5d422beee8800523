import type { Area } from '#src/contract/area.ts'
import { comments } from './comments/index.ts'
import { formSubmissions } from './form-submissions/index.ts'
import { forms } from './forms/index.ts'
import { pageBundles } from './page-bundles/index.ts'
import { pages } from './pages/index.ts'
import { postCategories } from './post-categories/index.ts'
import { posts } from './posts/index.ts'

export {
  Comment,
  CommentableSubject,
  CommentPage,
  commentStatuses,
  computeHash,
  insertComment,
  MutePage,
  type NewCommentValues,
  ReportPage,
  renderComment,
  reportReasons,
} from './comments/index.ts'
export {
  type AnswerInput,
  Answers,
  checkAnswers,
  FormAnswer,
  FormReceipt,
  FormSubmission,
  FormSubmissionPage,
  FormUpload,
  formatCell,
  insertSubmission,
  newFormToken,
  type StoredAnswer,
  submissionStatuses,
} from './form-submissions/index.ts'
export {
  type AnswerableVersion,
  addForm,
  buildScale,
  changedForm,
  completedField,
  countForms,
  errorsOfFields,
  type Field,
  Form,
  FormExport,
  FormFields,
  FormPage,
  fieldPatterns,
  fieldTypes,
  findAnswerable,
  MAX_FILE_MB,
  MAX_TEXT,
  type NewForm,
  newForm,
  pickContent,
  storeContent,
  storePublication,
} from './forms/index.ts'
export {
  addLiveDeployment,
  countShown,
  createStaticPages,
  MAX_ARCHIVE_BYTES,
  PageDeployment,
  PageDeploymentDetails,
  PageDeploymentList,
} from './page-bundles/index.ts'
export {
  addPage,
  type BlockType,
  binPage,
  countPages,
  countPublicPages,
  findHomePage,
  findPublishedById,
  findPublishedPage,
  isReserved,
  listPublicPaths,
  type NewPage,
  PagePreview,
  PageVersion,
  PageVersionList,
  type PublishedPage,
  preparedBlocks,
  previewedPage,
  publishAddedPage,
  SitePage,
  SitePageList,
  staticAddress,
} from './pages/index.ts'
export { addPostCategory, PostCategory, PostCategoryPage } from './post-categories/index.ts'
export {
  addPost,
  binPost,
  countPublicPosts,
  listPublicPosts,
  type NewPost,
  Post,
  PostMailing,
  PostPage,
  PostVersionPage,
  postStatus,
  renderedPost,
} from './posts/index.ts'

/** The areas of this domain in their order; each may import the ones before it. */
export const publishingAreas: readonly Area[] = [
  forms,
  formSubmissions,
  comments,
  pages,
  pageBundles,
  postCategories,
  posts,
]
