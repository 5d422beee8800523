import type { Phrase } from '#src/contract/language.ts'
import { fileRefusals } from '../uploads/index.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages of deployments, in every language; `{…}` is filled in. */
export const bundlesText = {
  title: say('Files of {page}', 'Ficheiros de {page}'),
  about: say(
    'This page shows files that another program made. Upload them as a zip archive: it is checked first, you look at it, and you decide when visitors see it.',
    'Esta página mostra ficheiros feitos por outro programa. Envie-os num arquivo zip: primeiro é verificado, depois vê como fica, e decide quando os visitantes o veem.',
  ),
  notPublished: say(
    'The page is not published, so visitors do not see it yet.',
    'A página não está publicada, por isso os visitantes ainda não a veem.',
  ),
  noHostTitle: say('An address for these pages is missing', 'Falta um endereço para estas páginas'),
  noHost: say(
    'The scripts of uploaded pages may not share an address with the school, so they need one of their own. Until then versions can be uploaded and checked, but not shown.',
    'Os scripts das páginas enviadas não podem partilhar um endereço com a escola, por isso precisam de um próprio. Até lá pode enviar e verificar versões, mas não mostrá-las.',
  ),
  noHostSteps: say(
    'Whoever runs the server points a host such as pages.example.net to it, and then runs:',
    'Quem administra o servidor aponta para ele um nome como pages.example.net e depois executa:',
  ),
  noHostRefused: say(
    'The school has no address for such pages yet, so nothing can be shown.',
    'A escola ainda não tem um endereço para páginas destas, por isso nada pode ser mostrado.',
  ),
  upload: say('Upload a new version', 'Enviar uma versão nova'),
  file: say('Zip archive', 'Arquivo zip'),
  fileHint: say(
    'With an index.html at its top, and up to 2,000 files of 10 MB each, 200 MB together.',
    'Com um index.html no topo e até 2000 ficheiros de 10 MB cada, 200 MB ao todo.',
  ),
  fileLimit: say('The archive has at most 50 MB.', 'O arquivo tem no máximo 50 MB.'),
  uploadButton: say('Upload and check', 'Enviar e verificar'),
  versions: say('Versions', 'Versões'),
  none: say('Nothing was uploaded yet.', 'Ainda nada foi enviado.'),
  statuses: {
    uploaded: say('being checked; open this page again in a moment', 'em verificação; abra esta página daqui a pouco'),
    refused: say('refused', 'recusada'),
    checked: say('checked', 'verificada'),
    preview: say('ready', 'pronta'),
    live: say('live', 'no ar'),
    superseded: say('was live before', 'esteve no ar antes'),
  },
  count: say('{n} files, {size}', '{n} ficheiros, {size}'),
  look: say('Look at it', 'Ver como fica'),
  visit: say('Open the page', 'Abrir a página'),
  promote: say('Show to visitors', 'Mostrar aos visitantes'),
  rollBack: say('Show this version again', 'Voltar a mostrar esta versão'),
  delete: say('Delete', 'Apagar'),
  problems: say('Why it was refused', 'Porque foi recusada'),
  archive: say('The archive', 'O arquivo'),
  files: say('Files', 'Ficheiros'),
  noFiles: say('There are no files.', 'Não há ficheiros.'),
  ignored: say(
    '{n} files of the archive are not published: hidden files, and what systems leave in folders.',
    '{n} ficheiros do arquivo não são publicados: ficheiros ocultos e o que os sistemas deixam nas pastas.',
  ),
  root: say(
    'Everything was in the folder {folder}, which is the top of the page.',
    'Estava tudo na pasta {folder}, que é o topo da página.',
  ),
  log: say('What happened', 'O que aconteceu'),
  events: {
    uploaded: say('uploaded', 'enviada'),
    checked: say('checked', 'verificada'),
    refused: say('refused', 'recusada'),
    promoted: say('shown to visitors', 'mostrada aos visitantes'),
    superseded: say('replaced', 'substituída'),
  },
  back: say('Back to the versions', 'Voltar às versões'),
  backToPage: say('Back to the page', 'Voltar à página'),
  done: {
    upload: say('The archive was uploaded and is being checked.', 'O arquivo foi enviado e está a ser verificado.'),
    promote: say('This version is live now.', 'Esta versão está agora no ar.'),
    delete: say('The version was deleted.', 'A versão foi apagada.'),
  },
} as const

/** What is wrong with an archive, for people. */
export const problemTexts: Readonly<Record<string, Phrase>> = {
  not_an_archive: say('This is not a zip archive, or it is damaged.', 'Não é um arquivo zip, ou está danificado.'),
  archive_missing: say('The archive is not there any more.', 'O arquivo já não existe.'),
  too_many_entries: say('The archive has more than 10,000 entries.', 'O arquivo tem mais de 10 000 entradas.'),
  too_many_files: say('The archive has more than 2,000 files.', 'O arquivo tem mais de 2000 ficheiros.'),
  index_missing: say('There is no index.html at the top of the archive.', 'Não há um index.html no topo do arquivo.'),
  not_utf8: say('The name is not in UTF-8.', 'O nome não está em UTF-8.'),
  backslash: say('The name has a backslash.', 'O nome tem uma barra invertida.'),
  absolute_path: say('The name is an absolute path.', 'O nome é um caminho absoluto.'),
  parent_folder: say('The name leads to another folder.', 'O nome leva a outra pasta.'),
  control_character: say('The name has invisible characters.', 'O nome tem caracteres invisíveis.'),
  empty_name: say('The name, or a part of it, is empty.', 'O nome, ou uma parte dele, está vazio.'),
  device_name: say('The name is one of a device.', 'O nome é o de um dispositivo.'),
  name_too_long: say('The name is too long.', 'O nome é demasiado longo.'),
  too_deep: say('The file is more than 20 levels deep.', 'O ficheiro está a mais de 20 níveis.'),
  link: say('It is a link.', 'É uma ligação.'),
  special_file: say('It is neither a file nor a folder.', 'Não é um ficheiro nem uma pasta.'),
  encrypted: say('It is encrypted.', 'Está cifrado.'),
  duplicate_name: say('The archive has this name twice.', 'O arquivo tem este nome duas vezes.'),
  colliding_name: say(
    'Another file differs only in case, or is a folder.',
    'Outro ficheiro difere só nas maiúsculas, ou é uma pasta.',
  ),
  different_names: say('The archive gives it two names.', 'O arquivo dá-lhe dois nomes.'),
  overlapping: say('It shares bytes with another entry.', 'Partilha bytes com outra entrada.'),
  unsupported_method: say('It is compressed in an unknown way.', 'Está comprimido de forma desconhecida.'),
  unreadable: say('It is damaged.', 'Está danificado.'),
  wrong_size: say('It has another size than the archive says.', 'Tem outro tamanho do que o arquivo diz.'),
  wrong_checksum: say('It is damaged: its checksum is wrong.', 'Está danificado: a soma de verificação está errada.'),
  file_too_large: say('The file has more than 10 MB.', 'O ficheiro tem mais de 10 MB.'),
  bundle_too_large: say('The files have more than 200 MB together.', 'Os ficheiros têm mais de 200 MB ao todo.'),
  quota_exceeded: say('The storage of the school is full.', 'O espaço da escola está cheio.'),
}

/** The sentences for refusals on these pages. */
export const bundleRefusals = {
  ...fileRefusals,
  'invalid_body file': say('Choose a zip archive.', 'Escolha um arquivo zip.'),
  'invalid_body file_id': say(
    'The archive has more than 50 MB, or cannot be used.',
    'O arquivo tem mais de 50 MB, ou não pode ser usado.',
  ),
  precondition_failed: say(
    'Somebody has changed the page since you opened it, so nothing was done. Check it again.',
    'Alguém alterou a página desde que a abriu, por isso nada foi feito. Verifique-a de novo.',
  ),
  pages_host_missing: bundlesText.noHostRefused,
  page_not_static: say(
    'This page is made of blocks and has no files.',
    'Esta página é feita de blocos e não tem ficheiros.',
  ),
  too_many_deployments: say(
    'A page has at most 20 versions. Delete one that is no longer needed.',
    'Uma página tem no máximo 20 versões. Apague uma de que já não precise.',
  ),
  invalid_state: say('This is no longer possible for this version.', 'Isto já não é possível para esta versão.'),
} as const
