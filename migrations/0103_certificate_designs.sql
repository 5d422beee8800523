-- How a certificate is set: within a frame, as all have been, beside a band of its color, or below a bar of it.
alter table certificate_templates add column design text not null default 'frame'
  check (design in ('frame', 'band', 'plain'));
