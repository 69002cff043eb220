-- The domains whose addresses are let in, where the organization restricts them.
CREATE TABLE email_domains (
  -- In small letters.
  domain text PRIMARY KEY CHECK (domain = lower(domain) AND length(domain) BETWEEN 3 AND 80),
  allows_subdomains boolean NOT NULL
);
