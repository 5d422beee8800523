import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages on which staff edit the pages of the site, in every language; `{…}` is filled in. */
export const editorText = {
  title: say('Pages', 'Páginas'),
  about: say('Write pages of the site, and choose the home page', 'Escrever páginas do sítio e escolher a página inicial'),
  add: say('Create a page', 'Criar uma página'),
  none: say('There are no pages yet.', 'Ainda não há páginas.'),
  back: say('Back to the pages', 'Voltar às páginas'),
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
    at: say('Publish at (in UTC)', 'Publicar em (UTC)'),
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
  schedule: say('Save and schedule', 'Guardar e agendar'),
  unpublish: say('Unpublish', 'Retirar da publicação'),
  setHome: say('Make it the home page', 'Tornar página inicial'),
  clearHome: say('No longer the home page', 'Deixar de ser a página inicial'),
  copy: say('Copy as a draft', 'Copiar como rascunho'),
  delete: say('Delete the page', 'Eliminar a página'),
  more: say('Publication and more', 'Publicação e mais'),
  versions: say('Versions', 'Versões'),
  version: say('Version {n}', 'Versão {n}'),
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
    restored: say('The version is the draft now. Publish it to show it.', 'A versão é agora o rascunho. Publique-a para a mostrar.'),
    moved: say('The order has changed.', 'A ordem mudou.'),
    deleted: say('The page was deleted.', 'A página foi eliminada.'),
  },
} as const

/** The sentences for refusals on these pages. */
export const editorRefusals = {
  precondition_failed: say(
    'Somebody has changed the page since you opened it, so nothing was saved. Copy what you wrote, and open the page again.',
    'Alguém alterou a página desde que a abriu, por isso nada foi guardado. Copie o que escreveu e abra a página de novo.',
  ),
  path_taken: say('Another page has this address.', 'Outra página tem este endereço.'),
  invalid_state: say(
    'This cannot be done with the page as it is now.',
    'Não é possível fazer isto com a página como está agora.',
  ),
  'invalid_body title': say('Please enter a title, in at most 200 characters.', 'Escreva um título, no máximo com 200 caracteres.'),
  'invalid_body path': say(
    'Choose an address such as /about/team that the site does not use for something else: small letters, digits and hyphens, in at most four parts.',
    'Escolha um endereço como /sobre/equipa que o sítio não use para outra coisa: letras minúsculas, algarismos e hífenes, no máximo em quatro partes.',
  ),
  'invalid_body redirects': say(
    'One of the other addresses is not valid or is used for something else.',
    'Um dos outros endereços não é válido ou é usado para outra coisa.',
  ),
  'invalid_body visibility': say('The home page cannot be for members alone.', 'A página inicial não pode ser só para membros.'),
  'invalid_body at': say('Choose a moment in the future.', 'Escolha um momento no futuro.'),
} as const
