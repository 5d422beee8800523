import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { type FormFile, type FormWithFiles, uploadFormFile, withFormFiles } from '#src/web/account/index.ts'
import type { StaffPagesParts } from '../parts.ts'

/** The most bytes of a form of the staff with its file, which waits on this computer's disk; apps send larger files. */
const MAX_BYTES = 1_000_000_000

/** Reads a form, with or without files, and answers it; the files are gone afterwards. */
export const withStaffFiles = (
  request: EndpointRequest,
  { secret }: Pick<StaffPagesParts, 'secret'>,
  session: Session,
  answer: (form: FormWithFiles) => Promise<Reply>,
): Promise<Reply> => withFormFiles({ request, session, secret, maxBytes: MAX_BYTES }, answer)

const badFile = (code: string, message: string): Refusal =>
  new Refusal(invalidBody, 'The file cannot be used.', { errors: [{ pointer: '/file', code, message }] })

/**
 * Uploads the file of a form, by the operations of uploads, and returns its id. Refuses a form without a file, and a file
 * that is not what it claims to be, as an invalid body at `/file`.
 */
export const storeFile = async (
  { performAs }: Pick<StaffPagesParts, 'performAs'>,
  person: SignedInPerson,
  file: FormFile | undefined,
  purpose: Parameters<typeof uploadFormFile>[3],
): Promise<string> => {
  if (file === undefined) throw badFile('missing', 'is required')
  const id = await uploadFormFile(performAs, person, file, purpose)
  if (id === undefined) throw badFile('rejected', 'is not what it claims to be')
  return id
}

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The sentences for refusals of files, for `refusedIn`. */
export const fileRefusals = {
  'invalid_body file': say(
    'Choose a file. An image, recording or film must be what its name says.',
    'Escolha um ficheiro. Uma imagem, gravação ou filme tem de ser o que o nome diz.',
  ),
  'invalid_body file_id': say(
    'A file of this type does not fit here. Choose another one.',
    'Um ficheiro deste tipo não serve aqui. Escolha outro.',
  ),
  'invalid_body content_type': say(
    'A file of this type does not fit here. Choose another one.',
    'Um ficheiro deste tipo não serve aqui. Escolha outro.',
  ),
  'invalid_body byte_size': say('The file is too large.', 'O ficheiro é demasiado grande.'),
  quota_exceeded: say(
    'The file is larger than what is left of the storage of the school.',
    'O ficheiro é maior do que o espaço que resta à escola.',
  ),
  too_many_uploads: say(
    'You have 100 uploads that nothing uses. They are deleted after 30 days; apps can delete them now.',
    'Tem 100 ficheiros enviados que nada usa. São apagados ao fim de 30 dias; as aplicações podem apagá-los já.',
  ),
} as const
