export {
  type Act,
  type Again,
  actForms,
  actIn,
  buildDoneTexts,
  buildState,
  type Refused,
  renderAct,
  submitAct,
} from './acts.ts'
export { actBesideText } from './beside.ts'
export { readBrowserBinding } from './browser-binding.ts'
export { box, choice, selectMany, selectOne, selectOneOrNone } from './choices.ts'
export { findChanged, renderConflict, TAKE_THEIRS } from './conflict.ts'
export type { PageContext, PageParts } from './context.ts'
export {
  areaControl,
  boxControl,
  type ControlState,
  checkbox,
  field,
  folded,
  inputs,
  lineControl,
  selectControl,
  textArea,
} from './controls.ts'
export {
  type Audience,
  CHOOSE_PATH,
  fileForm,
  form,
  isShown,
  type PageDeclaration,
  page,
  refusalFor,
  shownAgain,
} from './declare.ts'
export { type Field, readLine } from './field.ts'
export { type FieldSet, type FormState, fieldsFor } from './field-set.ts'
export {
  at,
  count,
  day,
  email,
  lastDay,
  line,
  lines,
  link,
  localTime,
  markdown,
  money,
  optionalLine,
  optionalLink,
  optionalLocalTime,
  optionalText,
  optionalTime,
  pasted,
  percent,
  required,
  text,
  time,
  unlessEmpty,
  whole,
  words,
} from './fields.ts'
export { type FileInput, renderFileInput, renderLibraryButton } from './file-input.ts'
export { type FileUse, uploadFormFile } from './form-files.ts'
export {
  buildErrorNotice,
  doneIn,
  type FieldError,
  type Framed,
  framed,
  type Notice,
  nameDraft,
  renderDraft,
  renderForm,
  renderNotice,
  renderTestNote,
  replyWith,
} from './frame.ts'
export { formKeyIn, hidden, hiddenFor, revisionIn } from './hidden.ts'
export { type Choice, choiceButton, input, kinds, mainButton, select } from './inputs.ts'
export { answerJson } from './json.ts'
export { keptPhrase } from './kept.ts'
export { LANGUAGE_PATH, renderLanguageLink, renderLanguages } from './languages.ts'
export { createList, factList, type List, type ListShown, searchForm } from './list.ts'
export { withModules } from './modules.ts'
export { chooseZone, dayStart, showDay, showDays, showEnd, showTime } from './moment.ts'
export {
  everybody,
  type PublicContext,
  type PublicParts,
  publicFileForm,
  publicForm,
  publicPage,
  visitors,
} from './public.ts'
export { buildOutcome, noticeFor, orNothing } from './refused.ts'
export {
  atPage,
  type Bound,
  carriesToken,
  findReadSession,
  formToken,
  isReply,
  isRowId,
  languageAt,
  readDone,
  readForm,
  readOwnForm,
  readSession,
  redirect,
  requirePerson,
  requireRecentProof,
  toConfirm,
} from './request.ts'
export { returnTo } from './return-to.ts'
export { readScheme, schemeFallback, withScheme } from './scheme.ts'
export { recentlySignedIn, signedIn } from './signed-in.ts'
export { streamedForm } from './streamed-form.ts'
export { type Column, momentColumn, renderName, renderProgress, renderTable } from './table.ts'
export { ambiguous, typedAmount } from './typed-amount.ts'
export { type FormFile, type FormWithFiles, writeUploaded } from './uploaded.ts'
export { VIEWING_PATH, viewingFallback, withViewing } from './viewing.ts'
