import * as l10n from '@vscode/l10n';
import { caseFoldPath } from './caseFold';

/** Why writing here always needs the person's word (S5), or undefined. Decided on the folded path. */
export function whyProtected(path: string): string | undefined {
  const folded = `/${caseFoldPath(path)}`;
  return protectedPlaces.find(({ pattern }) => pattern.test(folded))?.why();
}

interface ProtectedPlace {
  readonly pattern: RegExp;
  /** A function, because the person's language is not known yet when this is loaded. */
  readonly why: () => string;
}

const protectedPlaces: readonly ProtectedPlace[] = [
  {
    pattern: below('.vscode .vscode-test .idea .vs .zed .fleet'),
    why: () =>
      l10n.t(
        'it changes how the editor behaves: settings, tasks, debug launches and servers that run commands on this machine',
      ),
  },
  {
    pattern: /\.code-workspace$/,
    why: () =>
      l10n.t(
        'it holds settings, tasks and debug launches of the editor, which can run commands on this machine',
      ),
  },
  {
    // Somebody may open their home folder: what they allow stands there (R2).
    pattern:
      /(\/(code( - [^/]+)?|vscodium|user-data)|^)\/user\/(profiles\/[^/]+\/)?(settings|mcp|tasks|keybindings)\.json$|\/\.vscode-(server|remote|insiders|oss)[^/]*(\/|$)/u,
    why: () => l10n.t('it holds your own settings of the editor, and what you allow'),
  },
  {
    pattern: below('.git'),
    why: () => l10n.t('it belongs to git itself: its hooks and configuration run commands on this machine'),
  },
  {
    pattern: below('.husky .githooks .hooks'),
    why: () => l10n.t('it holds hooks that git runs on this machine'),
  },
  {
    pattern: named(
      '.gitmodules .gitattributes .gitconfig .pre-commit-config.ya?ml \\.?lefthook(-local)?.ya?ml',
    ),
    why: () => l10n.t('it steers what git runs or fetches on this machine'),
  },
  {
    pattern: named('package.json .npmrc .yarnrc(.yml)? .pnpmfile.cjs bunfig.toml deno.jsonc?'),
    why: () => l10n.t('it holds scripts or settings that the package manager runs on this machine'),
  },
  {
    pattern: /\.(csproj|fsproj|vbproj|vcxproj|proj|targets|props)$|\/build\.rs$/,
    why: () => l10n.t('building the project runs what stands in it'),
  },
  {
    pattern: below('.devcontainer .devcontainer.json .gitpod.yml'),
    why: () => l10n.t('it says what runs when a development container is built and opened'),
  },
  {
    pattern: below('.github/workflows .github/actions .circleci .gitlab-ci.yml .gitlab .buildkite'),
    why: () => l10n.t('it says what runs on the build servers, often with their secrets'),
  },
  {
    pattern: named('azure-pipelines.ya?ml jenkinsfile .travis.yml bitbucket-pipelines.yml .drone.yml'),
    why: () => l10n.t('it says what runs on the build servers, often with their secrets'),
  },
  {
    // Whoever moves a folder here makes protected places of what is in it.
    pattern: named('.github .config .local'),
    why: () =>
      l10n.t('some of what it holds runs by itself: on the build servers, or when this machine starts'),
  },
  {
    pattern: named('.?mcp.json mcp_settings.json mcp_config.json claude_desktop_config.json'),
    why: () => l10n.t('it says which MCP servers are started on this machine'),
  },
  {
    pattern: named(
      'agents(.override)?.md claude(.local)?.md gemini.md .cursorrules .windsurfrules ' +
        '.goosehints .aider.conf.yml [^/]*.(instructions|prompt|agent|chatmode).md',
    ),
    why: () => l10n.t('AI agents take it as instructions from you'),
  },
  {
    pattern: below(
      '.claude .cursor .codex .gemini .roo .cline .clinerules .windsurf .continue .kiro ' +
        '.copilot .agents .github/(instructions|prompts|agents|chatmodes|skills|hooks) ' +
        '.github/copilot-[^/]*',
    ),
    why: () => l10n.t('AI agents take it as instructions and settings from you'),
  },
  {
    pattern: named(
      '.(bash|zsh|ksh|csh|tcsh|mksh)rc .bash_(profile|login|logout|aliases) ' +
        '.(zshenv|zprofile|zlogin|zlogout|profile|login|logout|inputrc|envrc|xprofile|xinitrc) ' +
        'config.fish [^/]*profile.ps1',
    ),
    why: () => l10n.t('shells run it when they start'),
  },
  {
    pattern: below('.ssh .gnupg .aws .kube .docker .config/fish .config/systemd .local/bin'),
    why: () => l10n.t('it holds access or start-up configuration of this machine'),
  },
];

/** These places, apart by blanks, and all below them, at any depth. Dots are literal. */
function below(places: string): RegExp {
  return new RegExp(`/(${choices(places)})(/|$)`, 'u');
}

function named(names: string): RegExp {
  return new RegExp(`/(${choices(names)})$`, 'u');
}

function choices(words: string): string {
  return words.replace(/(?<!\\)\./g, '\\.').replaceAll(' ', '|');
}
