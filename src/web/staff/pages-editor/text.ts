import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages on which staff edit the pages of the site, in every language; `{…}` is filled in. */
export const editorText = {
  title: say('Pages', 'Páginas'),
  sectionAbout: say(
    'Write pages of the site, and choose the home page',
    'Escrever páginas do sítio e escolher a página inicial',
  ),
  intro: say(
    'The pages of your site, in the order of its navigation. Only published pages are public.',
    'As páginas do seu sítio, pela ordem da navegação. Só as páginas publicadas são públicas.',
  ),
  add: say('Create a page', 'Criar uma página'),
  none: say('There are no pages yet.', 'Ainda não há páginas.'),
  back: say('Back to the pages', 'Voltar às páginas'),
  backToPage: say('Back to the page', 'Voltar à página'),
  home: say('home page', 'página inicial'),
  hasChanges: say('has changes that are not published', 'tem alterações por publicar'),
  statuses: {
    draft: say('draft', 'rascunho'),
    scheduled: say('scheduled', 'agendada'),
    published: say('published', 'publicada'),
  },
  visibilities: {
    listed: say('Everybody', 'Toda a gente'),
    unlisted: say('Whoever has the address', 'Quem tiver o endereço'),
    members: say('People who are signed in', 'Pessoas com sessão iniciada'),
  },
  fields: {
    title: say('Title', 'Título'),
    path: say('Address on the site, such as /about', 'Endereço no sítio, como /sobre'),
    visibility: say('Who sees it', 'Quem a vê'),
    nav_label: say('Name in the navigation (optional)', 'Nome na navegação (opcional)'),
    redirects: say('Other addresses that lead here, one per line', 'Outros endereços que trazem aqui, um por linha'),
    seo_title: say('Title for search engines (optional)', 'Título para motores de pesquisa (opcional)'),
    seo_description: say('Description for search engines (optional)', 'Descrição para motores de pesquisa (opcional)'),
    at: say('Publish at (time in {zone})', 'Publicar em (hora em {zone})'),
  },
  hints: {
    nav_label: say(
      'With a name, the page is in the navigation of the site once it is published.',
      'Com um nome, a página fica na navegação do sítio depois de publicada.',
    ),
    redirects: say(
      'When the address of a page that was published changes, the old one is added here.',
      'Quando muda o endereço de uma página já publicada, o antigo é acrescentado aqui.',
    ),
  },
  kind: say('What it is made of', 'De que é feita'),
  kinds: {
    content: say('Blocks that you write here', 'Blocos que escreve aqui'),
    static: say('Files of your own, in a zip archive', 'Ficheiros seus, num arquivo zip'),
  },
  settings: say('Address, visibility and search engines', 'Endereço, visibilidade e motores de pesquisa'),
  blocks: say('Content', 'Conteúdo'),
  noBlocks: say('The page has no blocks yet.', 'A página ainda não tem blocos.'),
  addBlock: say('Kind of block', 'Tipo de bloco'),
  addButton: say('Add block', 'Acrescentar bloco'),
  up: say('Move up', 'Mover para cima'),
  down: say('Move down', 'Mover para baixo'),
  remove: say('Remove', 'Remover'),
  save: say('Save as draft', 'Guardar rascunho'),
  preview: say('Save and preview', 'Guardar e pré-visualizar'),
  publish: say('Save and publish', 'Guardar e publicar'),
  scheduling: say('Publish later', 'Publicar mais tarde'),
  schedule: say('Save and schedule', 'Guardar e agendar'),
  unpublish: say('Unpublish', 'Retirar da publicação'),
  setHome: say('Make it the home page', 'Tornar página inicial'),
  clearHome: say('No longer the home page', 'Deixar de ser a página inicial'),
  copy: say('Copy as a draft', 'Copiar como rascunho'),
  delete: say('Delete the page', 'Eliminar a página'),
  more: say('Home page, copy and more', 'Página inicial, cópia e mais'),
  about: {
    unpublish: say(
      'Only staff find it then. Save what you have typed first.',
      'Só a equipa a encontra então. Guarde primeiro o que escreveu.',
    ),
    setHome: say(
      'Shows this page at the address of the school, once it is published. Save what you have typed first.',
      'Mostra esta página no endereço da escola, depois de publicada. Guarde primeiro o que escreveu.',
    ),
    clearHome: say(
      'Shows the built-in home page again. Save what you have typed first.',
      'Mostra de novo a página inicial predefinida. Guarde primeiro o que escreveu.',
    ),
    copy: say(
      'Creates a draft with the content that is stored, and with an address of its own.',
      'Cria um rascunho com o conteúdo guardado e com um endereço próprio.',
    ),
    delete: say(
      'Deletes the page with its versions and addresses. This cannot be undone.',
      'Elimina a página com as suas versões e endereços. Não pode ser desfeito.',
    ),
  },
  copyTitle: say('Title of the copy (optional)', 'Título da cópia (opcional)'),
  confirm: say('To delete the page, type its title: {title}', 'Para eliminar a página, escreva o título: {title}'),
  bundles: say('Files of the page', 'Ficheiros da página'),
  openNow: say('Open the page as it is now (in a new tab)', 'Abrir a página como está agora (num novo separador)'),
  notSaved: say(
    'Nothing was saved. Please look at the marked fields.',
    'Nada foi guardado. Veja os campos assinalados.',
  ),
  savedOnly: say('Your changes are saved as a draft.', 'As alterações estão guardadas como rascunho.'),
  look: say('Please look at the marked field.', 'Veja o campo assinalado.'),
  pathTaken: say('Another page has this address, or leads from it.', 'Outra página tem este endereço ou parte dele.'),
  linkHint: say(
    'Choose an address of the list, or enter one such as /courses or https://example.org.',
    'Escolha um endereço da lista ou escreva um, como /courses ou https://example.org.',
  ),
  gone: say('No longer there ({id})', 'Já não existe ({id})'),
  missingFile: say('A file that was deleted', 'Um ficheiro que foi apagado'),
  withoutImage: say('Without an image', 'Sem imagem'),
  noChoices: say('There is nothing to choose from yet.', 'Ainda não há nada para escolher.'),
  addresses: {
    home: say('Home page', 'Página inicial'),
    courses: say('All courses', 'Todos os cursos'),
    products: say('All downloads', 'Todos os produtos digitais'),
    lecturers: say('All lecturers', 'Todos os docentes'),
    blog: say('Blog', 'Blogue'),
    events: say('All events', 'Todos os eventos'),
  },
  versions: say('Versions', 'Versões'),
  versionsAbout: say(
    'Each change of the title, the blocks or the texts for search engines makes a version. The last hundred are kept.',
    'Cada alteração do título, dos blocos ou dos textos para motores de pesquisa cria uma versão. Guardam-se as últimas cem.',
  ),
  version: say('Version {n}', 'Versão {n}'),
  restores: say('restores version {n}', 'restaura a versão {n}'),
  newest: say('being edited', 'em edição'),
  shown: say('published', 'publicada'),
  restore: say('Restore', 'Restaurar'),
  show: say('Show the page', 'Ver a página'),
  unsaved: say(
    'The blocks have changed. They are stored once you save.',
    'Os blocos mudaram. São guardados quando guardar a página.',
  ),
  blockIn: say('Block {n}: {kind}', 'Bloco {n}: {kind}'),
  done: {
    saved: say('The page was saved.', 'A página foi guardada.'),
    created: say('The page was created as a draft.', 'A página foi criada como rascunho.'),
    published: say('The page is published.', 'A página está publicada.'),
    scheduled: say('The publication is scheduled.', 'A publicação está agendada.'),
    unpublished: say('The page is a draft again.', 'A página voltou a ser um rascunho.'),
    home: say('The home page has changed.', 'A página inicial mudou.'),
    restored: say(
      'The version is the draft now. Publish it to show it.',
      'A versão é agora o rascunho. Publique-a para a mostrar.',
    ),
    moved: say('The order has changed.', 'A ordem mudou.'),
    deleted: say('The page was deleted.', 'A página foi eliminada.'),
  },
} as const

/** The sentences for refusals on these pages. */
export const editorRefusals = {
  precondition_failed: say(
    'Somebody has changed the page since you opened it, so nothing was saved. What you typed is still below. Open the page as it is now, and enter your changes there.',
    'Alguém alterou a página desde que a abriu, por isso nada foi guardado. O que escreveu ainda está abaixo. Abra a página como está agora e faça lá as suas alterações.',
  ),
  path_taken: say('Another page has this address.', 'Outra página tem este endereço.'),
  invalid_state: say(
    'This cannot be done with the page as it is now.',
    'Não é possível fazer isto com a página como está agora.',
  ),
  'invalid_body blocks': say(
    'The page has too much content: at most 100 blocks, 200 images and 200 KB of text.',
    'A página tem demasiado conteúdo: no máximo 100 blocos, 200 imagens e 200 KB de texto.',
  ),
  too_many_pages: say(
    'A school has at most 500 pages. Delete one first.',
    'Uma escola tem no máximo 500 páginas. Elimine uma primeiro.',
  ),
} as const

/** The sentences for the fields of a page that are wrong. */
export const editorErrors = {
  title: say('Please enter a title, in at most 200 characters.', 'Escreva um título, no máximo com 200 caracteres.'),
  copy_title: say('Enter at most 200 characters.', 'Escreva no máximo 200 caracteres.'),
  path: say(
    'Use small letters, digits and hyphens in at most four parts, such as /about/team.',
    'Use letras minúsculas, algarismos e hífenes, no máximo em quatro partes, como /sobre/equipa.',
  ),
  'path reserved': say('The site uses this address for something else.', 'O sítio usa este endereço para outra coisa.'),
  redirects: say(
    'Enter addresses such as /about/team, at most 50, in small letters, digits and hyphens.',
    'Escreva endereços como /sobre/equipa, no máximo 50, em letras minúsculas, algarismos e hífenes.',
  ),
  'redirects reserved': say(
    'The site uses one of these addresses for something else.',
    'O sítio usa um destes endereços para outra coisa.',
  ),
  'redirects loop': say(
    'The page cannot lead to itself: remove its own address.',
    'A página não pode levar a si mesma: retire o próprio endereço.',
  ),
  visibility: say('The home page cannot be for members alone.', 'A página inicial não pode ser só para membros.'),
  at: say('Choose a time in the future.', 'Escolha um momento no futuro.'),
  confirm: say('This is not the title of the page.', 'Este não é o título da página.'),
} as const
