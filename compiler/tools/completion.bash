# Completion for hostclc, hostcl-doctor and hostcl-check; bash-completion finds it under each of these names.

_hostcl() {
  local word=${COMP_LINE:0:COMP_POINT}
  word=${word##*[[:space:]]} # '=' parts words in COMP_WORDS
  [[ $word == -* ]] || return 0
  local found
  case $1 in
    *hostcl-check) found=$(compgen -W '--checks= --fail-each --fail-each= --guest --help --report= --runs= --sarif= --seconds= --strict --version' -- "$word") ;;
    *) found=$("$1" --autocomplete="$word" 2>/dev/null) ;;
  esac
  mapfile -t COMPREPLY <<<"$found"
  [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace
  # bash replaces what follows the last '='.
  [[ $word != *=* ]] || COMPREPLY=("${COMPREPLY[@]#"${word%%=*}="}")
}
complete -o default -F _hostcl hostclc hostcl-check
complete -F _hostcl hostcl-doctor
