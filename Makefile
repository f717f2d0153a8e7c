# Wherefore: the few commands a person needs. `make help` lists them.

CARGO ?= cargo
CORPUS ?=
SOAK ?= 3600
# The fewest random systems that a soak gives to SMT solvers.
MODELS ?= 10000
BENCH ?=
# How often short runs are repeated, and after how many seconds of CPU time a run is ended. QUICK=1 is for a look.
BENCH_RUNS ?= $(if $(QUICK),1,3)
BENCH_LIMIT ?= $(if $(QUICK),3,60)
MEASURE = --runs $(BENCH_RUNS) --limit $(BENCH_LIMIT) --out $(BUILT)/bench $(BENCH)
# Where cargo puts what it builds.
BUILT := $(or $(CARGO_TARGET_DIR),target)

# The solver CaDiCaL is compiled from C++. Without a C++ compiler: cargo build --no-default-features --features tui
# takes a solver in plain Rust instead.
CXX_MISSING = a C++ compiler is missing: apt-get install -y g++

.PHONY: help compiler demo test lint web test-web corpus soak bench audit fuzz

help:
	@echo "make demo                  build, and check the built-in elevator"
	@echo "make test                  everything that must pass: format, lints, tests, documentation"
	@echo "make web                   build the page of the explorer (needs Node.js); its bundle is committed"
	@echo "make test-web              lints, unit tests and browser tests of the page (needs Node.js and Chromium)"
	@echo "make corpus CORPUS=folder  compare verdicts with those recorded for a folder of models"
	@echo "make soak SOAK=seconds     the random tests, for longer (default 3600), and MODELS=10000 systems by SMT solvers;"
	@echo "                           random Alloy commands beside the Analyzer that scripts/test-tools fetches"
	@echo "make bench                 time and memory as models grow, beside NuSMV where it is installed"
	@echo "make bench CORPUS=folder   the same, and our time against that recorded for a folder of models"
	@echo "make bench QUICK=1         the same with one run of each, ended after 3 seconds (BENCH_RUNS, BENCH_LIMIT)"
	@echo "make fuzz                  coverage-guided fuzzing of the readers (needs cargo-fuzz)"
	@echo "make audit                 licences, sources and duplicates of the dependencies (needs cargo-deny)"

# Installs the compiler where that is possible without asking; otherwise says how.
compiler:
	@command -v c++ >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
	  && apt-get update -q && apt-get install -qy --no-install-recommends g++; } || { echo "$(CXX_MISSING)"; exit 1; }

demo: compiler
	$(CARGO) build --release --locked -p wherefore-cli
	@mkdir -p $(BUILT)/demo
	@cd $(BUILT)/demo && { ../release/wherefore demo elevator --force; code=$$?; test $$code -le 1; }

test: lint
	@scripts/test-tools
	$(CARGO) test --locked --workspace
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --workspace --no-deps --document-private-items
	@$(MAKE) --no-print-directory test-web

# The page of the explorer. Building the binary needs neither of these: web/dist is committed, and a test compares it with
# its source.
web:
	cd web && npm ci --no-audit --no-fund && npm run build

test-web:
	@scripts/test-web "$(abspath $(BUILT))/debug/wherefore"

lint: compiler
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings

corpus: compiler
	@test -n "$(CORPUS)" || { echo "say which folder: make corpus CORPUS=folder"; exit 2; }
	$(CARGO) run --release --locked -p wherefore-acceptance --bin corpus -- $(CORPUS)

soak: compiler
	WHEREFORE_SOAK=$(SOAK) WHEREFORE_MODELS=$(MODELS) $(CARGO) test --release --locked -p wherefore-acceptance -p wherefore-relational -p wherefore-smtcheck -- --nocapture --test-threads=2
	$(CARGO) build --release --locked -p wherefore-cli
	scripts/soak-alloy $(BUILT)/release/wherefore $(BUILT)/tools/alloy.jar --seconds $(SOAK)

bench: compiler
	$(CARGO) build --release --locked -p wherefore-cli -p wherefore-acceptance -p wherefore-lts \
	  --bin wherefore --bin bench --example lossy_transfer
	@test -z "$(CORPUS)" || $(BUILT)/release/bench corpus "$(CORPUS)" $(MEASURE)
	@test -z "$(CORPUS)" || $(BUILT)/release/bench alloy "$(CORPUS)" $(MEASURE)
	@$(BUILT)/release/bench tcmc $(CORPUS) $(MEASURE)
	@$(BUILT)/release/bench growth $(MEASURE)
	@$(BUILT)/release/bench smt $(MEASURE)
	@BENCH_LIMIT=$(BENCH_LIMIT) scripts/bench-lts $(BUILT)/release/wherefore

fuzz:
	@command -v cargo-fuzz >/dev/null || { echo "cargo-fuzz is missing: cargo install cargo-fuzz"; exit 1; }
	cd fuzz && for target in smv_load smv_formula aut_read mcl alloy_load; do \
	  RUSTC_BOOTSTRAP=1 cargo fuzz run $$target -- -max_total_time=$(SOAK) || exit 1; done

audit:
	@command -v cargo-deny >/dev/null || { echo "cargo-deny is missing: cargo install --locked cargo-deny"; exit 1; }
	cargo deny check bans licenses sources
